/**
 * The methods of `DeviceArray` and the functions of `Arrays` are written in classes of one family each, which are never
 * constructed. Each adds itself to the class that users see: its methods by `addMethods`, its types by merging interfaces.
 */
import { callOrDefer } from "../lazy/deferred-call.js";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";
import { isArray } from "../storage/check-array.js";

interface Class {
  readonly prototype: object;
}

/** Adds the methods of `family` to `target`. */
export function addMethods(target: Class, family: Class): void {
  const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(family.prototype);
  Object.defineProperties(target.prototype, methods);
}

/**
 * Adds the methods of `family`, which compute with kernels, to `target`. Until their kernels are built, their results are
 * pending; methods whose names end with "Sync" wait for the compiler.
 */
export function addComputations(target: Class, family: Class): void {
  deferMethods(family);
  addMethods(target, family);
}

/** Makes the methods of a class defer calls whose kernels are not built. */
export function deferMethods({ prototype }: Class): void {
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const method: unknown = descriptor.value;
    if (typeof method !== "function" || name === "constructor" || name.endsWith("Sync")) continue;
    Object.defineProperty(prototype, name, { ...descriptor, value: deferring(name, method as Method) });
  }
}

/** An array, a factory of arrays, or one of its namespaces. */
type Receiver = ArraySource | { readonly xp: ArraySource };

type Method = (this: Receiver, ...args: unknown[]) => unknown;

function deferring(name: string, method: Method): Method {
  // A method of an object, so that it has the name in stack traces.
  const named: Readonly<Record<string, Method>> = {
    [name](...args) {
      const xp = "xp" in this ? this.xp : this;
      // An array is an argument like others, since it may be changed or released before the call is repeated.
      if (isArray(this)) {
        return callOrDefer(xp, [this, ...args], ([array, ...rest]) => method.apply(array as AnyArray, rest));
      }
      return callOrDefer(xp, args, (given) => method.apply(this, [...given]));
    },
  };
  return named[name] as Method;
}
