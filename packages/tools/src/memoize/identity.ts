/**
 * Which OpenCL object a wrapper stands for, as a token: wrappers of one object share it, and no two objects ever do.
 *
 * Addresses alone will not do, since a driver gives a released object's address to the next one. A token is found by its
 * address only while a wrapper that had it is alive, and so keeps the object alive.
 *
 * The tokens hang on the wrappers and on nothing else: whatever hangs on a token in a WeakMap may refer to the wrappers,
 * as a program does to its context, and all of it is still collected together.
 */
import type { Resource } from "@cl/core";

/** An OpenCL object. */
export class Identity {
  #wrappers: readonly WeakRef<Resource>[] = [];

  /** True while an object that had this token keeps the OpenCL object alive. */
  get alive(): boolean {
    return this.#wrappers.some(isAlive);
  }

  /** @internal */
  join(wrapper: Resource): void {
    this.#wrappers = [...this.#wrappers.filter(isAlive), new WeakRef(wrapper)];
  }
}

/** The token of a live object; throws a `DisposedError` for a released one. */
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
  // The callback outlives the object: it must refer to neither the object nor the token.
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
  // Another object may have the address by now.
  if (byPointer.get(pointer)?.deref() !== reference.deref()) return;
  if (reference.deref()?.alive !== true) byPointer.delete(pointer);
}
