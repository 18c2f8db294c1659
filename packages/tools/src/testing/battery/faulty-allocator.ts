/** An allocator that returns an invalid result on demand and counts its live memory. */
import { type Allocation, type Allocator, Context, OutOfMemoryError } from "@cl/core";

/** A kind of invalid result. */
export type Fault =
  | "out of memory"
  | "an error"
  | "a thrown value that is not an Error"
  | "undefined"
  | "null"
  | "a promise"
  | "an object that is not memory"
  | "too few bytes"
  | "released memory"
  | "memory of another context";

export const faults: readonly Fault[] = [
  "out of memory",
  "an error",
  "a thrown value that is not an Error",
  "undefined",
  "null",
  "a promise",
  "an object that is not memory",
  "too few bytes",
  "released memory",
  "memory of another context",
];

/** Forwards to a plain allocator except for its n-th result. */
export class FaultyAllocator implements Allocator<Allocation> {
  readonly context: Context;
  readonly #plain: (context: Context) => Allocator<Allocation>;
  readonly #upstream: Allocator<Allocation>;
  #fault: Fault | undefined;
  readonly #at: number;
  #calls = 0;
  #live = 0;

  constructor(context: Context, plain: (context: Context) => Allocator<Allocation>, fault?: Fault, at = 0) {
    this.context = context;
    this.#plain = plain;
    this.#upstream = plain(context);
    this.#fault = fault;
    this.#at = at;
  }

  get calls(): number {
    return this.#calls;
  }

  get live(): number {
    return this.#live;
  }

  /** Makes all further calls succeed. */
  disableFault(): void {
    this.#fault = undefined;
  }

  allocate(bytes: number): Allocation | null {
    this.#calls++;
    return this.#calls === this.#at && this.#fault !== undefined
      ? (this.#fail(this.#fault, bytes) as Allocation | null)
      : this.#counted(this.#upstream.allocate(bytes));
  }

  #counted(memory: Allocation | null): Allocation | null {
    if (memory === null) return null;
    this.#live++;
    memory.onReleased(() => this.#live--);
    return memory;
  }

  #fail(fault: Fault, bytes: number): unknown {
    switch (fault) {
      case "out of memory":
        throw new OutOfMemoryError("CL_MEM_OBJECT_ALLOCATION_FAILURE", -4, "clCreateBuffer", "no memory, on purpose");
      case "an error":
        throw new Error("an error, on purpose");
      case "a thrown value that is not an Error":
        // oxlint-disable-next-line typescript/only-throw-error -- this is what is tested
        throw "a string, on purpose";
      case "undefined":
        return undefined;
      case "null":
        return null;
      case "a promise":
        return Promise.resolve(null);
      case "an object that is not memory":
        return { size: bytes, context: this.context, released: false, release: () => undefined };
      case "too few bytes":
        return this.#counted(this.#upstream.allocate(bytes - 1));
      case "released memory": {
        const memory = this.#counted(this.#upstream.allocate(bytes));
        memory?.release();
        return memory;
      }
      case "memory of another context":
        return this.#counted(this.#plain(new Context(this.context.devices)).allocate(bytes));
      default:
        return fault satisfies never;
    }
  }
}
