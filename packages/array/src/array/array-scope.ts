/** Scopes that release the arrays that a function makes. */
import { itemsWithin, type Releasable, ReleaseScopes } from "@cl/base";

/** The arrays that a function makes; `Arrays.scope` passes it to the function. */
export interface ArrayScope {
  /** Keeps arrays alive after the function ends. They then belong to the enclosing scope, if any. */
  keep<V>(value: V): V;
}

/** The method of objects that hold arrays: returns those that must not be released while the object is used. */
export const heldArrays: unique symbol = Symbol("heldArrays");

/** An object that holds arrays; an array holds itself. */
interface Holder {
  [heldArrays](): Iterable<Releasable>;
}

/** All scopes of arrays. A scope's owner is the allocator, which the factories of all queues share. */
export const arrayScopes: ReleaseScopes<Releasable> = new ReleaseScopes(heldWithin);

/** Returns the arrays in a value, also those that objects hold. */
export function heldWithin(value: unknown): Iterable<Releasable> {
  return itemsWithin(value, arraysOf);
}

function arraysOf(value: object): Iterable<Releasable> {
  return heldArrays in value ? (value as Holder)[heldArrays]() : [];
}
