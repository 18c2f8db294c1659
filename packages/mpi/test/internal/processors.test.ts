/** Counting processors, and what is said about them. */
import { cpus } from "node:os";

import { expect, test } from "vitest";

import { countProcessors, limitThreads, processorProblem, sizeOfList } from "../../src/processors.js";

test.each([
  ["0", 1],
  ["0-3", 4],
  ["0-3,8,16-17", 7],
])("the list %s has %d processors", (list, size) => {
  expect(sizeOfList(list)).toBe(size);
});

test("counts at least the processor of this process, and at most those of the machine", () => {
  const { own, node } = countProcessors({});
  expect(own).toBeGreaterThanOrEqual(1);
  expect(node).toBeGreaterThanOrEqual(own);
  expect(node).toBeLessThanOrEqual(cpus().length);
  // Fewer if the batch system has allocated fewer, but not fewer than this process may use.
  expect(countProcessors({ SLURM_CPUS_ON_NODE: "1" })).toEqual({ own, node: own });
});

test.each([
  // Not bound: the processors are shared.
  [{ own: 1, node: 1 }, 4, 1],
  [{ own: 1, node: 2 }, 1, 1],
])("with %o, each of %d ranks has %d threads", (processors, ranks, threads) => {
  const environment: NodeJS.ProcessEnv = {};
  limitThreads(environment, ranks, processors);
  const limits = threads < cpus().length;
  expect(environment).toEqual(
    limits ? { POCL_MAX_PTHREAD_COUNT: String(threads), POCL_CPU_MAX_CU_COUNT: String(threads) } : {},
  );
  const given = { POCL_MAX_PTHREAD_COUNT: "7", POCL_CPU_MAX_CU_COUNT: "8" };
  limitThreads(given, ranks, processors);
  expect(given).toEqual({ POCL_MAX_PTHREAD_COUNT: "7", POCL_CPU_MAX_CU_COUNT: "8" });
});

test.each([
  ["not bound", 4, { own: 16, node: 16 }, {}],
  ["bound to its share", 4, { own: 4, node: 16 }, {}],
  ["alone", 1, { own: 8, node: 8 }, {}],
  ["with few threads", 4, { own: 16, node: 16 }, { POCL_MAX_PTHREAD_COUNT: "4" }],
])("nothing is said about a rank that is %s", (_, ranks, processors, environment) => {
  expect(processorProblem(environment, ranks, processors, "openmpi")).toBeUndefined();
});

test.each([
  ["openmpi", "mpirun --bind-to none"],
  ["mpich", "mpirun -bind-to none"],
  [undefined, "srun --cpu-bind=none"],
] as const)("a rank of %s that is bound to few processors is told %s", (flavor, option) => {
  const problem = processorProblem({}, 2, { own: 1, node: 16 }, flavor);
  expect(problem).toBe(`is bound to 1 of 16 processors, but its share is 8; start the job with ${option}`);
});

test("too many ranks and too many threads are reported", () => {
  expect(processorProblem({}, 5, { own: 4, node: 4 }, "mpich")).toMatch(/^the 5 ranks .* have 4 processors/);
  const environment = { POCL_MAX_PTHREAD_COUNT: "3" };
  expect(processorProblem(environment, 2, { own: 4, node: 4 }, "mpich")).toMatch(/set POCL_MAX_PTHREAD_COUNT to 2/);
});
