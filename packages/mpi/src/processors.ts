/** The processors of a node, and how its ranks share them. */
import { readFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";

import type { Launch } from "./library.js";

/** Processors of a rank. */
export interface Processors {
  /** Those that this process may use. */
  readonly own: number;
  /** Those that all ranks of the node may use. */
  readonly node: number;
}

/** What limits the threads of PoCL 3.1, and of newer versions. */
const threadVariables = ["POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT"] as const;

/** Counts processors. A launcher may bind ranks to some of those that it may use itself. */
export function countProcessors(environment: NodeJS.ProcessEnv): Processors {
  const available = availableParallelism();
  const own = allowedProcessors("self") ?? available;
  // Fewer if the time of a container is limited, which binds it to none.
  if (available < own) return { own: available, node: available };
  const allocated = Number(environment["SLURM_CPUS_ON_NODE"] ?? Infinity);
  return { own, node: Math.max(own, Math.min(allowedProcessors(process.ppid) ?? own, allocated || Infinity)) };
}

/** Returns on how many processors Linux may run a process. */
function allowedProcessors(process: number | "self"): number | undefined {
  let status: string;
  try {
    status = readFileSync(`/proc/${process}/status`, "utf8");
  } catch {
    return undefined;
  }
  const list = /^Cpus_allowed_list:\s*(.+)$/m.exec(status)?.[1];
  // It may have processors that could be added to the machine.
  return list === undefined ? undefined : Math.min(sizeOfList(list), cpus().length);
}

/** Returns how many numbers a list such as `0-3,8` has. */
export function sizeOfList(list: string): number {
  return list.split(",").reduce((sum, range) => {
    const [first, last = first] = range.split("-").map(Number) as [number, number?];
    return sum + last - first + 1;
  }, 0);
}

/** Limits PoCL, which otherwise starts a thread for each processor of the machine in each rank. */
export function limitThreads(environment: NodeJS.ProcessEnv, ranks: number, processors: Processors): void {
  const threads = Math.min(processors.own, shareOf(ranks, processors));
  if (threads >= cpus().length) return;
  for (const name of threadVariables) environment[name] ??= String(threads);
}

function shareOf(ranks: number, { node }: Processors): number {
  return Math.max(1, Math.floor(node / ranks));
}

/** Returns what is wrong with the processors of the ranks of a node, and what to do; `undefined` if nothing is. */
export function processorProblem(
  environment: NodeJS.ProcessEnv,
  ranks: number,
  { own, node }: Processors,
  flavor: Launch["flavor"],
): string | undefined {
  const share = shareOf(ranks, { own, node });
  if (own < share) {
    const option = { openmpi: "mpirun --bind-to none", mpich: "mpirun -bind-to none", other: "srun --cpu-bind=none" };
    return `is bound to ${own} of ${node} processors, but its share is ${share}; start the job with ${option[flavor ?? "other"]}`;
  }
  if (ranks > node) {
    return `the ${ranks} ranks of this node have ${node} ${node === 1 ? "processor" : "processors"}; start at most ${node} there`;
  }
  const threads = Number(environment["POCL_MAX_PTHREAD_COUNT"] ?? share);
  if (threads * ranks <= node) return undefined;
  return `the ranks of this node (${ranks}) have ${threads} threads of PoCL each, but only ${node} processors; set POCL_MAX_PTHREAD_COUNT to ${share} or less`;
}
