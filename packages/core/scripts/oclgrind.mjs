// Runs tests on oclgrind, a simulator that checks each work-item (scripts/lib/oclgrind.mjs) and a second OpenCL
// implementation (1.2).
//
//   node scripts/oclgrind.mjs            the kernel tests, some minutes
//   node scripts/oclgrind.mjs --full     every test file that oclgrind supports
//   node scripts/oclgrind.mjs launch     the files whose names contain "launch"
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runOnOclgrind } from "../../../scripts/lib/oclgrind.mjs";

const core = fileURLToPath(new URL("..", import.meta.url));
const [choice] = process.argv.slice(2);

/** Test files of the short run: kernel arguments, sizes and memory. */
const quick = [
  "bound-kernel",
  "copy",
  "fill",
  "image-kernel",
  "kernel-argument-protocol",
  "kernel-arguments",
  "kernel-types",
  "launch-list",
  "launch-sizes",
  "local-memory",
  "read-write",
  "set-arg",
  "typed-kernel",
  "view-transfer",
];

/** Files that the full run skips, with the reason. */
const skipped = [
  [/^(faults|no-runtime|uncrashable|bad-input|staging)/, "test the fake driver or a missing driver"],
  [/^(exit|workers|event-loop|user-event|host-function|pace|wait-for|native-kernel)/, "test user events and threads"],
  [/^(svm|pipe|semaphore|command-buffer|external-memory)/, "require OpenCL 2 or extensions"],
  [/^(program-cache|capture)/, "run the same programs as other tests"],
];

/** Failures of single tests that are due to oclgrind, by test name or error message. */
const limits = [
  [/user events would hang/, "oclgrind runs all commands inside flush, so that user events would hang"],
  [/reqd_work_group_size\(8,2,1\)/, "oclgrind does not report kernel attributes"],
  [/can overlap other maps if all are read-only/, "oclgrind does not count maps"],
  [/^unmapping (is done by garbage collection|does not happen while)/m, "oclgrind does not count maps"],
  [/runs 100,000 launches with changing arguments/, "too much for a simulator"],
  [
    /aborted wait no longer keeps|dropped without release is reclaimed|memory migrates \(gated/,
    "oclgrind runs all commands inside flush, so that user events would hang, here in child processes",
  ],
  [/is unmapped when no view is left/, "oclgrind does not call the destructor callback of a mapped image"],
  [/a property that the driver does not know/, "oclgrind accepts any context property"],
  [/program whose kernels were made elsewhere/, "oclgrind rebuilds a program that has kernels"],
  [/(compiling|linking) that fails is a BuildError/, "oclgrind's linker and its log are incomplete"],
  [/^a sampler (has the properties given by its options|from its own address)/, "oclgrind reports wrong sampler info"],
];

/** Findings that are due to the simulator's compiler. */
const knownFindings = [
  [
    /not aligned to the pointed type[^]* to->field\d+(\[\d+\])+ = from->field/,
    "its clang assumes that arrays of 3-vectors in packed structs are aligned",
  ],
];

const files = chosenFiles().map((name) => `test/${name}.test.ts`);
process.exitCode = (await runOnOclgrind("core", files, { limits, known: knownFindings })) ? 0 : 1;

function chosenFiles() {
  const names = readdirSync(join(core, "test"))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => name.slice(0, -".test.ts".length));
  if (choice === undefined) return quick.filter((name) => names.includes(name));
  if (choice !== "--full") return names.filter((name) => name.includes(choice));
  for (const [pattern, why] of skipped) {
    console.log(`skipped: ${names.filter((name) => pattern.test(name)).join(", ")}: ${why}`);
  }
  return names.filter((name) => !skipped.some(([pattern]) => pattern.test(name)));
}
