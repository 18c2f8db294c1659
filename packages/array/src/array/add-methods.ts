/**
 * The methods of `DeviceArray` and the functions of `Arrays` are written in classes of one family each, which are never
 * constructed. Each adds itself to the class that users see: its methods by `addMethods`, its types by merging interfaces.
 */
import { callOrDefer } from "../lazy/deferred-call.js";
import type { ArraySource } from "../storage/array-ref.js";
import { isPreparing } from "../storage/attempt.js";
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

/**
 * Adds the methods of `family`, which apply operators, to `target`. Those that return new arrays are recorded; calls with `out` are
 * deferred until their kernels are built.
 */
export function addOperators(target: Class, family: Class): void {
  replaceMethods(family, deferringOutputs);
  addMethods(target, family);
}

/** Makes the methods of a class defer calls whose kernels are not built. */
export function deferMethods(family: Class): void {
  replaceMethods(family, deferring);
}

/** Makes a method of a class defer calls whose kernels are not built. */
export function deferMethod({ prototype }: Class, name: string): void {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor;
  Object.defineProperty(prototype, name, { ...descriptor, value: deferring(name, descriptor.value as Method) });
}

/** Replaces the methods of a class, except those that block. */
export function replaceMethods<M>({ prototype }: Class, replace: (name: string, method: M) => M): void {
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const method: unknown = descriptor.value;
    if (typeof method !== "function" || name === "constructor" || name.endsWith("Sync")) continue;
    Object.defineProperty(prototype, name, { ...descriptor, value: replace(name, method as M) });
  }
}

/** An array, a factory of arrays, a namespace of functions, or nothing: `const { erf } = special`. */
type Receiver = ArraySource | { readonly xp: ArraySource } | object | undefined;

type Method<R = Receiver> = (this: R, ...args: unknown[]) => unknown;

function deferring(name: string, method: Method): Method {
  const onFirst = callOnFirst(method);
  // A method of an object, so that it has the name in stack traces.
  const named: Readonly<Record<string, Method>> = {
    [name](...args) {
      if (isArray(this)) return callOrDefer(this.xp, [this, ...args], onFirst);
      const xp = factoryOf(this, args);
      if (xp === undefined) return method.apply(this, args);
      return callOrDefer(xp, args, (given) => method.apply(this, [...given]));
    },
  };
  return named[name] as Method;
}

/** Returns the call of a method whose first argument is the receiver, which may be changed or released before the call is repeated. */
function callOnFirst<R>(method: Method<R>): (all: readonly unknown[]) => unknown {
  return (all) => method.call(...(all as [R, ...unknown[]]));
}

function factoryOf(receiver: Receiver, args: readonly unknown[]): ArraySource | undefined {
  if (receiver !== undefined && "xp" in receiver) return receiver.xp;
  return receiver !== undefined && "queue" in receiver ? receiver : args.find(isArray)?.xp;
}

function deferringOutputs(name: string, method: Method<unknown>): Method<unknown> {
  const onFirst = callOnFirst(method);
  const named: Readonly<Record<string, Method<unknown>>> = {
    [name](...args) {
      const xp = deferringFactory(this, args);
      if (xp === undefined) return method.apply(this, args);
      if (isArray(this)) return callOrDefer(xp, [this, ...args], onFirst);
      return callOrDefer(xp, args, (given) => method.apply(this, [...given]));
    },
  };
  return named[name] as Method<unknown>;
}

/** Returns the factory of a call of operators that must be deferred if its kernels are not built; `undefined` if it is recorded. */
function deferringFactory(receiver: unknown, args: readonly unknown[]): ArraySource | undefined {
  const options = args.at(-1);
  if (typeof options === "object" && options !== null && !isArray(options) && "out" in options) {
    return [options.out].flat().find(isArray)?.xp;
  }
  // Eager operators run immediately, except while kernels are prepared.
  return isPreparing() ? [receiver, ...args].find(isArray)?.xp : undefined;
}
