/** Memory accesses of list members, and whether they conflict. */
import {
  DeviceBuffer,
  type KernelArgument,
  kernelArgument,
  LocalMemory,
  memoryRange,
  Sampler,
  SvmPointer,
} from "@cl/core";

/** A range of bytes that a member reads or writes. */
export interface Access {
  readonly store: object;
  readonly start: number;
  readonly end: number;
  readonly writes: boolean;
}

/** All accesses of a member; `undefined` if unknown, which means any memory. */
export type Accesses = readonly Access[] | undefined;

/** Returns the access to memory, or to `bytes` bytes from `offset`. */
export function accessTo(
  memory: DeviceBuffer | SvmPointer,
  writes: boolean,
  { offset = 0, bytes }: { readonly offset?: number | undefined; readonly bytes?: number | undefined } = {},
): Access {
  const { store, start, end } = memoryRange(memory);
  return { store, start: start + offset, end: bytes === undefined ? end : start + offset + bytes, writes };
}

/** Returns the memory that a kernel can access through an argument. */
export function accessThrough(value: unknown, writes: boolean): Accesses {
  if (value instanceof DeviceBuffer || value instanceof SvmPointer) return [accessTo(value, writes)];
  if (value instanceof LocalMemory || value instanceof Sampler || value === null) return nothing;
  if (isKernelArgument(value)) {
    const argument = value[kernelArgument]();
    return "memory" in argument ? accessThrough(argument.memory, writes) : nothing;
  }
  if (ArrayBuffer.isView(value) || Array.isArray(value)) return nothing;
  // Images may share memory with buffers; pipes and queues may access anything.
  return typeof value === "object" || value === undefined ? undefined : nothing;
}

const nothing: readonly Access[] = Object.freeze([]);

function isKernelArgument(value: unknown): value is KernelArgument {
  return typeof value === "object" && value !== null && kernelArgument in value;
}

/** Combines accesses. */
export function allAccesses(each: readonly Accesses[]): Accesses {
  return each.includes(undefined) ? undefined : each.flatMap((accesses) => accesses ?? []);
}

/** Whether two members can run in any order. */
export function independent(first: Accesses, second: Accesses): boolean {
  if (first === undefined || second === undefined) return false;
  return !first.some((a) =>
    second.some((b) => (a.writes || b.writes) && a.store === b.store && a.start < b.end && b.start < a.end),
  );
}
