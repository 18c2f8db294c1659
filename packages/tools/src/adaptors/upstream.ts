/**
 * Asking another allocator, which may be anybody's, and believing nothing it says. Whatever stands on an allocator asks
 * it through {@link askUpstream}: a wrong answer then is an error that names the allocator, before any book has it.
 */
import { describe, typeError } from "@cl/base";
import { type Allocation, type Allocator, Context, DeviceBuffer, SvmPointer } from "@cl/core";

/** What an allocator is called in messages. */
export function allocatorName(allocator: object): string {
  const name = (allocator.constructor as { readonly name?: unknown } | undefined)?.name;
  return typeof name === "string" && name !== "" && name !== "Object" ? name : "an unnamed allocator";
}

/** Checks that a value is an allocator of memory in a context. */
export function checkAllocator<A extends Allocator<Allocation>>(value: A, name: string): A {
  const given: unknown = value;
  const looksRight =
    typeof given === "object" &&
    given !== null &&
    typeof (given as Partial<Allocator>).allocate === "function" &&
    (given as Partial<Allocator>).context instanceof Context;
  if (!looksRight) throw typeError(name, "an allocator, with a context and allocate(bytes)", given);
  return value;
}

/**
 * What the upstream gives for so many bytes: memory that is alive, of its context and large enough, or null where there
 * is nothing to give. What it throws is thrown on. Anything else is a TypeError; memory that came with it is released,
 * since nobody would have it.
 */
export function askUpstream<M extends Allocation>(upstream: Allocator<M>, bytes: number): M | null {
  const given = ask(upstream, bytes);
  if (given === null && bytes === 0) return null;
  if (!isMemory(given)) {
    throw wrongAnswer(upstream, bytes, `gave ${describe(given)}, which is no buffer and no shared virtual memory`);
  }
  if (given.released) throw wrongAnswer(upstream, bytes, "gave memory that has been released");
  const complaint =
    given.size < bytes
      ? `gave only ${given.size}`
      : given.context === upstream.context || given.context.equals(upstream.context)
        ? undefined
        : "gave memory of another context than its own";
  if (complaint === undefined) return given;
  given.release();
  throw wrongAnswer(upstream, bytes, complaint);
}

function ask<M extends Allocation>(upstream: Allocator<M>, bytes: number): M | null {
  try {
    return upstream.allocate(bytes);
  } catch (error) {
    if (error instanceof Error) throw error;
    throw Object.assign(wrongAnswer(upstream, bytes, `threw ${describe(error)}, which is no error`), { cause: error });
  }
}

function isMemory(value: unknown): value is Allocation {
  return value instanceof DeviceBuffer || value instanceof SvmPointer;
}

function wrongAnswer(upstream: object, bytes: number, what: string): TypeError {
  const error = new TypeError(`${allocatorName(upstream)} was asked for ${bytes} bytes and ${what}`);
  return Object.assign(error, { code: "ERR_CL_BAD_ALLOCATOR" });
}
