/** Scopes that release a pool's memory when a function ends. */
import { itemsWithin, ReleaseScopes } from "@cl/base";
import { type Allocation, DeviceBuffer, kernelArgument, type KernelArgument, SvmPointer } from "@cl/core";

/** The allocations that a function makes from a pool. */
export interface PoolScope {
  /** Keeps memory alive after the function ends. It then belongs to the enclosing scope, if any. */
  keep<V>(value: V): V;
}

/** The scopes of all pools; a scope's owner is its pool. */
export const poolScopes: ReleaseScopes<Allocation> = new ReleaseScopes((value) => itemsWithin(value, memoryOf));

/** Returns the memory of a buffer, of shared virtual memory or of another kernel argument. */
function memoryOf(value: object): readonly Allocation[] {
  if (value instanceof DeviceBuffer || value instanceof SvmPointer) return [value.loan ?? value];
  if (!(kernelArgument in value)) return [];
  const argument = (value as KernelArgument)[kernelArgument]();
  return "memory" in argument ? memoryOf(argument.memory) : [];
}
