/** Launches of solver kernels; programs are cached by dtype and work-group size. */
import { hasParallelWorkItems } from "@cl/characterize";
import type { CommandQueue, LaunchSizes } from "@cl/core";
import { kernelOf } from "../../kernels/kernel-cache.js";
import { launchOrdered } from "../../kernels/launch.js";
import { type Macros, macros } from "../../kernels/macros.js";
import { quiet } from "../../kernels/processor-source.js";
import type { Storage } from "../../storage/storage.js";
import { numberSource, type SolverType } from "./number-source.js";

/** A kernel and its text, to which the arithmetic of its type is added. */
export interface SolverKernel {
  readonly name: string;
  /** Macros of the text, besides LOCAL, LANES and TEAMS. */
  readonly macros?: Macros;
  readonly source: string;
}

/** The text of a kernel. `local` is the number of work-items of a group; 1 if they would not run in parallel. */
function solverSource({ macros: own = {}, source }: SolverKernel, dtype: SolverType, local: number): string {
  const sizes = { LOCAL: local, LANES: Math.min(32, local), TEAMS: Math.max(1, local / 32) };
  return `${quiet}\n${numberSource(dtype)}${macros({ ...sizes, ...own })}${source}`;
}

/** How many work-items share a matrix. A power of two. */
export function groupSize({ device }: CommandQueue): number {
  return hasParallelWorkItems(device) ? 2 ** Math.floor(Math.log2(Math.min(256, device.maxWorkGroupSize))) : 1;
}

/** Enqueues a kernel. `writes` come first among its arguments, then `reads`, then the rest. */
export function runSolver(
  queue: CommandQueue,
  solver: SolverKernel,
  dtype: SolverType,
  sizes: LaunchSizes,
  writes: readonly Storage[],
  reads: readonly Storage[],
  rest: readonly unknown[],
): void {
  const local = groupSize(queue);
  const { name } = solver;
  const kernel = kernelOf(queue.context, `${name} ${dtype} ${local}`, name, () => solverSource(solver, dtype, local));
  const memory = [...writes, ...reads].map((storage) => storage.memory);
  const others = reads.filter((storage) => !writes.includes(storage));
  launchOrdered(queue, kernel, sizes, [...memory, ...rest], others, writes);
}
