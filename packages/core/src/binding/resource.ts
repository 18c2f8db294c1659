/**
 * The base class of all objects that wrap a native handle: identity, label, release and finalization.
 *
 * Lifetime rule: release() ends the object immediately and may be called again. An object that was not released is
 * released when it is garbage-collected. Its slot in the handle table is reused only after collection, so a wrapper
 * never refers to the object of another one.
 */
import { inspect } from "node:util";
import * as threads from "node:worker_threads";

import { checkFunction, checkString, copyKey, illegalConstructor } from "@cl/base";

import { DisposedError } from "./errors.js";
import { finalizer } from "./finalizer.js";
import { type Handle, native } from "./native.js";

const collected = finalizer<Handle>((handle) => native.recycle(handle));
/** Calls the release callbacks of objects that are collected without having been released. */
const collectedCallbacks = finalizer<(() => void)[]>(callAll);

/** Makes structuredClone() throw for an object; it would return an empty one. Node 20 has no such function. */
const { markAsUncloneable } = threads as { readonly markAsUncloneable?: (object: object) => void };

type HandleOf = (resource: Resource) => Handle;

/** Functions of this package that access private fields. */
let internals: {
  readonly handleOf: HandleOf;
  readonly queueHandle: HandleOf;
  readonly kernelHandle: HandleOf;
  readonly boundHandle: HandleOf;
  readonly bufferHandle: HandleOf;
  readonly forget: (resource: Resource) => void;
  readonly replaceHandle: (resource: Resource, handle: Handle) => void;
};

/** An existing native object, passed to a constructor that would otherwise create one. */
export class Adopted {
  readonly handle: Handle;
  readonly label: string | undefined;

  constructor(handle: Handle, label?: string) {
    this.handle = handle;
    this.label = label;
  }
}

/** Base class of objects that wrap an OpenCL object. */
export abstract class Resource {
  /** @internal */
  static readonly [copyKey]: string = import.meta.url;
  #handle: Handle;
  #label: string | undefined;
  #whenReleased: (() => void)[] | undefined;

  static {
    internals = {
      handleOf: (resource: Resource): Handle => {
        const handle = resource.#handle;
        if (handle === 0) throw new DisposedError(resource.#displayName());
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
        // The first handle stays registered too: its slot is freed when the wrapper is collected.
        collected.register(resource, handle);
      },
    };
  }

  /** @internal */
  protected constructor(handle: Handle, label?: string, owned = true) {
    // Any other value would release another object when this one is collected.
    if (!Number.isInteger(handle)) throw illegalConstructor(`${new.target.name} cannot be constructed directly`);
    this.#handle = handle;
    // Before anything can throw, so that the handle is released with this partly constructed object.
    if (owned) collected.register(this, handle);
    markAsUncloneable?.(this);
    this.#label = label === undefined ? undefined : checkString(label, "label");
  }

  /** A name shown in errors and traces. */
  get label(): string | undefined {
    return this.#label;
  }

  set label(value: string | undefined) {
    this.#label = value === undefined ? undefined : checkString(value, "label");
  }

  /** Whether the object has been released. */
  get released(): boolean {
    return this.#handle === 0;
  }

  /** The address of the OpenCL object, for other libraries in this process or as a hash key. */
  get pointer(): bigint {
    return native.pointerOf(handleOf(this));
  }

  /** Returns whether both wrap the same OpenCL object. */
  equals(other: unknown): boolean {
    if (this === other) return true;
    return other instanceof Resource && other.#handle !== 0 && this.#handle !== 0 && other.pointer === this.pointer;
  }

  /** Releases the OpenCL object. Commands that use it still complete. Does nothing if it was already released. */
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
   * Calls the callback once, when this object has been released or garbage-collected. The callback must not refer to
   * the object, or the object would never be collected. `release` rethrows errors of the callback; after a garbage
   * collection they become process warnings with the code `CL_FINALIZER`.
   */
  onReleased(callback: () => void): this {
    checkFunction(callback, "callback");
    handleOf(this);
    if (this.#whenReleased === undefined) {
      this.#whenReleased = [];
      collectedCallbacks.register(this, this.#whenReleased);
    }
    this.#whenReleased.push(callback);
    return this;
  }

  /** Same as {@link release}, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }

  /** Returns the text that {@link inspect} shows after the class name. */
  protected summary(): string {
    return "";
  }

  /** Returns an empty summary if the driver fails, because printing an object must not throw. */
  #safeSummary(): string {
    try {
      return this.summary();
    } catch {
      return "";
    }
  }

  #displayName(): string {
    return `${this.constructor.name}${this.#label === undefined ? "" : ` "${this.#label}"`}`;
  }

  /** Returns a one-line description. */
  toString(): string {
    if (this.#handle === 0) return `${this.#displayName()} (released)`;
    const summary = this.#safeSummary();
    return summary === "" ? this.#displayName() : `${this.#displayName()} { ${summary} }`;
  }

  /** @internal */
  [inspect.custom](): string {
    return this.toString();
  }
}

/** Returns the native handle of a live object. Throws {@link DisposedError} if it was released. */
export const handleOf: HandleOf = internals.handleOf;
/**
 * Copies of {@link handleOf} for the classes of the launch path. Each copy sees objects of one shape, so V8 inlines the
 * read. A shared function costs 30 ns of the 110 ns of a launch with four arguments (bench: launch-4args).
 */
export const queueHandle: HandleOf = internals.queueHandle;
export const kernelHandle: HandleOf = internals.kernelHandle;
export const boundHandle: HandleOf = internals.boundHandle;
export const bufferHandle: HandleOf = internals.bufferHandle;
/** Marks a wrapper as released without a native call, for handles that a native call has released. */
export const forget: (resource: Resource) => void = internals.forget;
/** Replaces the native object of a wrapper and releases the previous one. Both slots are freed with the wrapper. */
export const replaceHandle: (resource: Resource, handle: Handle) => void = internals.replaceHandle;

/** Calls each callback once, even if some throw. */
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
  if (errors.length > 1) throw new AggregateError(errors, "several release callbacks failed");
}
