/** What memory a member reads and writes, and whether two members may overlap. */
import {
  DeviceBuffer,
  type KernelArgument,
  kernelArgument,
  LocalMemory,
  memoryRange,
  Sampler,
  SvmPointer,
} from "@cl/core";

/** Bytes of one piece of memory that a member reads, or writes. */
export interface Access {
  readonly store: object;
  readonly start: number;
  readonly end: number;
  readonly writes: boolean;
}

/** All that a member touches; undefined if that is not known, and so may be anything. */
export type Accesses = readonly Access[] | undefined;

/** The access to memory, or to `bytes` of it from `offset` on. */
export function accessTo(
  memory: DeviceBuffer | SvmPointer,
  writes: boolean,
  { offset = 0, bytes }: { readonly offset?: number | undefined; readonly bytes?: number | undefined } = {},
): Access {
  const { store, start, end } = memoryRange(memory);
  return { store, start: start + offset, end: bytes === undefined ? end : start + offset + bytes, writes };
}

/** What a kernel can reach through the value of an argument. */
export function accessThrough(value: unknown, writes: boolean): Accesses {
  if (value instanceof DeviceBuffer || value instanceof SvmPointer) return [accessTo(value, writes)];
  if (value instanceof LocalMemory || value instanceof Sampler || value === null) return nothing;
  if (isKernelArgument(value)) {
    const stands = value[kernelArgument]();
    return "memory" in stands ? accessThrough(stands.memory, writes) : nothing;
  }
  if (ArrayBuffer.isView(value) || Array.isArray(value)) return nothing;
  // Images may lie over buffers, pipes and queues lead anywhere.
  return typeof value === "object" || value === undefined ? undefined : nothing;
}

const nothing: readonly Access[] = Object.freeze([]);

function isKernelArgument(value: unknown): value is KernelArgument {
  return typeof value === "object" && value !== null && kernelArgument in value;
}

/** All of them together. */
export function allAccesses(each: readonly Accesses[]): Accesses {
  return each.includes(undefined) ? undefined : each.flatMap((accesses) => accesses ?? []);
}

/** True if the order of the two makes no difference. */
export function independent(one: Accesses, other: Accesses): boolean {
  if (one === undefined || other === undefined) return false;
  return !one.some((a) =>
    other.some((b) => (a.writes || b.writes) && a.store === b.store && a.start < b.end && b.start < a.end),
  );
}
