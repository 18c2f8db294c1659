/**
 * What all objects that wrap a native handle share: identity, label, release, and the safety net.
 *
 * Lifetime rule: release() ends the object at once and may be called again. What was dropped without release is ended
 * when it is collected. Only then is its slot in the handle table reused, so no wrapper ever names another's object.
 */
import { inspect } from "node:util";

import { checkFunction, checkString, illegalConstructor } from "@cl/base";

import { DisposedError } from "./errors.js";
import { finalizer } from "./finalizer.js";
import { type Handle, native } from "./native.js";

const collected = finalizer<Handle>((handle) => native.recycle(handle));
/** What is called for objects that are collected instead of released; empty if they were released before. */
const collectedWatched = finalizer<(() => void)[]>(callAll);

type HandleOf = (resource: Resource) => Handle;

/** Functions of this package that reach private fields. */
let inside: {
  readonly handleOf: HandleOf;
  readonly queueHandle: HandleOf;
  readonly kernelHandle: HandleOf;
  readonly boundHandle: HandleOf;
  readonly bufferHandle: HandleOf;
  readonly forget: (resource: Resource) => void;
  readonly replaceHandle: (resource: Resource, handle: Handle) => void;
};

/** A native object that exists already, for constructors that otherwise make one. */
export class Adopted {
  readonly handle: Handle;
  readonly label: string | undefined;

  constructor(handle: Handle, label?: string) {
    this.handle = handle;
    this.label = label;
  }
}

/** Anything that has a native handle. */
export abstract class Resource {
  #handle: Handle;
  #label: string | undefined;
  #whenReleased: (() => void)[] | undefined;

  static {
    inside = {
      handleOf: (resource: Resource): Handle => {
        const handle = resource.#handle;
        if (handle === 0) throw new DisposedError(resource.#name());
        return handle;
      },
      queueHandle: (queue: Resource): Handle => queue.#handle || handleOf(queue),
      kernelHandle: (kernel: Resource): Handle => kernel.#handle || handleOf(kernel),
      boundHandle: (kernel: Resource): Handle => kernel.#handle || handleOf(kernel),
      bufferHandle: (buffer: Resource): Handle => buffer.#handle || handleOf(buffer),
      forget: (resource: Resource): void => resource.#end(),
      replaceHandle: (resource: Resource, handle: Handle): void => {
        native.release(handleOf(resource));
        resource.#handle = handle;
        // The first handle stays registered: its dead slot comes back when the wrapper is collected, as always.
        collected.register(resource, handle);
      },
    };
  }

  /** @internal */
  protected constructor(handle: Handle, label?: string, owned = true) {
    // Whatever else were registered would end, or fail to end, somebody else's object when this one is collected.
    if (!Number.isInteger(handle)) throw illegalConstructor(`${new.target.name} cannot be constructed directly`);
    this.#handle = handle;
    // Before anything may throw: the handle is then given back with this half-made object.
    if (owned) collected.register(this, handle);
    this.#label = label === undefined ? undefined : checkString(label, "label");
  }

  /** A name of yours, shown in errors and traces. */
  get label(): string | undefined {
    return this.#label;
  }

  set label(value: string | undefined) {
    this.#label = value === undefined ? undefined : checkString(value, "label");
  }

  /** True once the object has been released. */
  get released(): boolean {
    return this.#handle === 0;
  }

  /** The OpenCL object's address, for other libraries in this process. Hash keys can be made of it, too. */
  get pointer(): bigint {
    return native.pointerOf(handleOf(this));
  }

  /** True if both are the same OpenCL object. */
  equals(other: unknown): boolean {
    if (this === other) return true;
    return other instanceof Resource && other.#handle !== 0 && this.#handle !== 0 && other.pointer === this.pointer;
  }

  /** Gives the OpenCL object back. Commands that still use it are not disturbed; calling it again does nothing. */
  release(): void {
    if (this.#handle === 0) return;
    native.release(this.#handle);
    this.#end();
  }

  #end(): void {
    this.#handle = 0;
    if (this.#whenReleased !== undefined) callAll(this.#whenReleased);
  }

  /**
   * Calls back once, when this object has been released or, if nobody did that, has been collected. The callback must not
   * refer to the object, which would then never be collected. `release` throws what it throws; after a garbage collection
   * that becomes a process warning with the code `CL_FINALIZER`.
   */
  onReleased(callback: () => void): this {
    checkFunction(callback, "callback");
    handleOf(this);
    if (this.#whenReleased === undefined) {
      this.#whenReleased = [];
      collectedWatched.register(this, this.#whenReleased);
    }
    this.#whenReleased.push(callback);
    return this;
  }

  /** The same as {@link release}, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }

  /** What {@link inspect} shows after the class name. */
  protected summary(): string {
    return "";
  }

  /** Nothing where the driver does not answer: to print an object must not fail. */
  #summaryIfAny(): string {
    try {
      return this.summary();
    } catch {
      return "";
    }
  }

  #name(): string {
    return `${this.constructor.name}${this.#label === undefined ? "" : ` "${this.#label}"`}`;
  }

  /** One line that says what it is. */
  toString(): string {
    if (this.#handle === 0) return `${this.#name()} (released)`;
    const summary = this.#summaryIfAny();
    return summary === "" ? this.#name() : `${this.#name()} { ${summary} }`;
  }

  /** @internal */
  [inspect.custom](): string {
    return this.toString();
  }
}

/** The native handle of a live object; throws {@link DisposedError} for a released one. */
export const handleOf: HandleOf = inside.handleOf;
/**
 * {@link handleOf} for the classes of the launch path, a copy for each: V8 then sees objects of one shape in each copy and
 * reads the handle inline. One shared function costs 30 ns of the 110 of a launch with four arguments (bench: launch-4args).
 */
export const queueHandle: HandleOf = inside.queueHandle;
export const kernelHandle: HandleOf = inside.kernelHandle;
export const boundHandle: HandleOf = inside.boundHandle;
export const bufferHandle: HandleOf = inside.bufferHandle;
/** Ends the wrapper without telling the native side, for handles that a native call has released. */
export const forget: (resource: Resource) => void = inside.forget;
/** Gives a live object another native object, which it owns; the one it had is released. Both slots end with it. */
export const replaceHandle: (resource: Resource, handle: Handle) => void = inside.replaceHandle;

/** Each of them once, however many throw. */
function callAll(callbacks: (() => void)[]): void {
  const errors: unknown[] = [];
  for (const callback of callbacks.splice(0)) {
    try {
      callback();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, "several callbacks of a released object have failed");
}
