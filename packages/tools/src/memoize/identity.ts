/**
 * Identity tokens of OpenCL objects: all wrappers of one object share a token, and different objects never do.
 *
 * Addresses are not enough, since a driver reuses the address of a released object. A token is looked up by address
 * only while a wrapper with that token is alive, which keeps the object and its address alive.
 *
 * Only the wrappers refer to the tokens. So the values of a WeakMap keyed by token may refer to the wrappers, as a
 * program does to its context, and everything is still collected together.
 */
import type { Resource } from "@cl/core";

/** The identity of an OpenCL object. */
export class Identity {
  #wrappers: readonly WeakRef<Resource>[] = [];

  /** True while a wrapper with this token is alive. */
  get alive(): boolean {
    return this.#wrappers.some(isAlive);
  }

  /** @internal */
  join(wrapper: Resource): void {
    this.#wrappers = [...this.#wrappers.filter(isAlive), new WeakRef(wrapper)];
  }
}

/** Returns the token of a live object. Throws a `DisposedError` for a released one. */
export function identityOf(resource: Resource): Identity {
  const known = identities.get(resource);
  if (known !== undefined && !resource.released) return known;
  const { pointer } = resource;
  const found = byPointer.get(pointer)?.deref();
  const identity = found?.alive === true ? found : new Identity();
  identity.join(resource);
  identities.set(resource, identity);
  const reference = new WeakRef(identity);
  byPointer.set(pointer, reference);
  // The callback outlives the object, so it must not refer to the object or the token.
  const wrapper = new WeakRef(resource);
  resource.onReleased(() => leave(pointer, wrapper, reference));
  return identity;
}

function isAlive(wrapper: WeakRef<Resource>): boolean {
  return wrapper.deref()?.released === false;
}

const identities = new WeakMap<Resource, Identity>();
const byPointer = new Map<bigint, WeakRef<Identity>>();

function leave(pointer: bigint, wrapper: WeakRef<Resource>, reference: WeakRef<Identity>): void {
  const resource = wrapper.deref();
  if (resource !== undefined) identities.delete(resource);
  // The address may have been reused.
  if (byPointer.get(pointer)?.deref() !== reference.deref()) return;
  if (reference.deref()?.alive !== true) byPointer.delete(pointer);
}
