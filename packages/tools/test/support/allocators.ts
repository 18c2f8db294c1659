/** Misbehaving allocators for tests. */
import { type Allocator, Context, type DeviceBuffer, OutOfMemoryError } from "@cl/core";
import { DeferredAllocator } from "@cl/tools";

export const context: Context = Context.create();

/** A plain buffer allocator. */
export const plain: DeferredAllocator = new DeferredAllocator(context);

/** An OutOfMemoryError as thrown for a driver's status. */
export function outOfMemory(text = "no memory, on purpose"): OutOfMemoryError {
  return new OutOfMemoryError("CL_MEM_OBJECT_ALLOCATION_FAILURE", -4, "clCreateBuffer", text);
}

/** An allocator whose results come from a function. */
export class ScriptedAllocator implements Allocator {
  readonly context: Context = context;
  calls = 0;
  readonly #answer: (bytes: number, call: number) => unknown;

  constructor(answer: (bytes: number, call: number) => unknown) {
    this.#answer = answer;
  }

  allocate(bytes: number): DeviceBuffer | null {
    return this.#answer(bytes, ++this.calls) as DeviceBuffer | null;
  }
}

/** Returns the error that a call throws, or undefined. */
export function thrownBy(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}
