/**
 * Checked calls of upstream allocators, which users can implement. Adaptors and pools allocate through {@link
 * askUpstream}, which turns an invalid result into an error that names the allocator, before any counter changes.
 */
import { describe, typeError } from "@cl/base";
import { type Allocation, type Allocator, Context, DeviceBuffer, SvmPointer } from "@cl/core";

export function allocatorName(allocator: object): string {
  const name = (allocator.constructor as { readonly name?: unknown } | undefined)?.name;
  return typeof name === "string" && name !== "" && name !== "Object" ? name : "an unnamed allocator";
}

/** Checks that a value is an allocator of memory in a context. */
export function checkAllocator<A extends Allocator<Allocation>>(value: A, name: string): A {
  const candidate: unknown = value;
  const isAllocator =
    typeof candidate === "object" &&
    candidate !== null &&
    typeof (candidate as Partial<Allocator>).allocate === "function" &&
    (candidate as Partial<Allocator>).context instanceof Context;
  if (!isAllocator) throw typeError(name, "an allocator with a context and a method allocate(bytes)", candidate);
  return value;
}

/**
 * Allocates memory from the upstream. Returns live memory of its context and of sufficient size, or `null` for 0 bytes.
 * Errors of the upstream are rethrown. An invalid result throws a TypeError, and returned memory is released.
 */
export function askUpstream<M extends Allocation>(upstream: Allocator<M>, bytes: number): M | null {
  const memory = allocateFrom(upstream, bytes);
  if (memory === null && bytes === 0) return null;
  if (!isMemory(memory)) {
    throw badResult(upstream, bytes, `returned ${describe(memory)}, which is not a buffer or shared virtual memory`);
  }
  if (memory.released) throw badResult(upstream, bytes, "returned memory that has been released");
  const problem =
    memory.size < bytes
      ? `returned only ${memory.size}`
      : memory.context === upstream.context || memory.context.equals(upstream.context)
        ? undefined
        : "returned memory of another context";
  if (problem === undefined) return memory;
  memory.release();
  throw badResult(upstream, bytes, problem);
}

function allocateFrom<M extends Allocation>(upstream: Allocator<M>, bytes: number): M | null {
  try {
    return upstream.allocate(bytes);
  } catch (error) {
    if (error instanceof Error) throw error;
    throw Object.assign(badResult(upstream, bytes, `threw ${describe(error)}, which is not an Error`), {
      cause: error,
    });
  }
}

function isMemory(value: unknown): value is Allocation {
  return value instanceof DeviceBuffer || value instanceof SvmPointer;
}

function badResult(upstream: object, bytes: number, problem: string): TypeError {
  const error = new TypeError(`${allocatorName(upstream)}: allocate(${bytes}) ${problem}`);
  return Object.assign(error, { code: "ERR_CL_BAD_ALLOCATOR" });
}
