/** An allocator that gives a wrong answer on demand, and knows what of its memory is out. */
import { type Allocation, type Allocator, Context, OutOfMemoryError } from "@cl/core";

/** What can be wrong with an answer. */
export type Fault =
  | "out of memory"
  | "an error"
  | "something thrown that is no error"
  | "undefined"
  | "null"
  | "a promise"
  | "something that is no memory"
  | "too few bytes"
  | "released memory"
  | "memory of another context";

/** Every fault. */
export const faults: readonly Fault[] = [
  "out of memory",
  "an error",
  "something thrown that is no error",
  "undefined",
  "null",
  "a promise",
  "something that is no memory",
  "too few bytes",
  "released memory",
  "memory of another context",
];

/** Gives what a plain allocator gives, but for its n-th answer. */
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

  /** How often it was asked. */
  get calls(): number {
    return this.#calls;
  }

  /** How many pieces of its memory are out. */
  get live(): number {
    return this.#live;
  }

  /** From now on nothing goes wrong. */
  heal(): void {
    this.#fault = undefined;
  }

  allocate(bytes: number): Allocation | null {
    this.#calls++;
    return this.#calls === this.#at && this.#fault !== undefined
      ? (this.#wrong(this.#fault, bytes) as Allocation | null)
      : this.#given(this.#upstream.allocate(bytes));
  }

  #given(memory: Allocation | null): Allocation | null {
    if (memory === null) return null;
    this.#live++;
    memory.onReleased(() => this.#live--);
    return memory;
  }

  #wrong(fault: Fault, bytes: number): unknown {
    switch (fault) {
      case "out of memory":
        throw new OutOfMemoryError("CL_MEM_OBJECT_ALLOCATION_FAILURE", -4, "clCreateBuffer", "no memory, on purpose");
      case "an error":
        throw new Error("an error, on purpose");
      case "something thrown that is no error":
        // oxlint-disable-next-line typescript/only-throw-error -- which is what is tested
        throw "a string, on purpose";
      case "undefined":
        return undefined;
      case "null":
        return null;
      case "a promise":
        return Promise.resolve(null);
      case "something that is no memory":
        return { size: bytes, context: this.context, released: false, release: () => undefined };
      case "too few bytes":
        return this.#given(this.#upstream.allocate(bytes - 1));
      case "released memory": {
        const memory = this.#given(this.#upstream.allocate(bytes));
        memory?.release();
        return memory;
      }
      case "memory of another context":
        return this.#given(this.#plain(new Context(this.context.devices)).allocate(bytes));
      default:
        return fault satisfies never;
    }
  }
}
