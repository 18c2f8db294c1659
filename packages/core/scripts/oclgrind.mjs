// Runs tests on oclgrind, a simulator that watches each work-item (scripts/lib/oclgrind.mjs). It is also a second
// implementation (OpenCL 1.2).
//
//   node scripts/oclgrind.mjs            the tests of kernels, some minutes
//   node scripts/oclgrind.mjs --full     every test file that can run there
//   node scripts/oclgrind.mjs launch     the files whose names contain "launch"
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runOnOclgrind } from "../../../scripts/lib/oclgrind.mjs";
import { setup as bundle } from "./bundle.mjs";

const core = fileURLToPath(new URL("..", import.meta.url));
const [choice] = process.argv.slice(2);

/** Test files of the short run: every way in which kernels get arguments, sizes and memory. */
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

/** Files that the full run leaves out. */
const leftOut = [
  [/^(faults|no-runtime|uncrashable|bad-input|staging)/, "about the fake driver, or about none"],
  [/^(exit|workers|event-loop|user-event|host-function|pace|wait-for|native-kernel)/, "about user events and threads"],
  [/^(svm|pipe|semaphore|command-buffer|external-memory)/, "for OpenCL 2 and extensions"],
  [/^(program-cache|capture)/, "runs programs again that others run"],
];

/** Failures of single tests that are oclgrind's, by the test's name or the error's words. */
const limits = [
  [/user events would hang/, "oclgrind runs all commands inside flush, so that user events would hang"],
  [/reqd_work_group_size\(8,2,1\)/, "oclgrind tells no attributes of kernels"],
  [/can be one of several, on parts that overlap/, "oclgrind does not count maps"],
  [/^unmapping (is made by garbage collection|does not happen while)/m, "oclgrind does not count maps"],
  [/runs all of a hundred thousand/, "too much for a simulator"],
  [
    /aborted wait no longer keeps|dropped without release is given back|memory migrates \(gated/,
    "oclgrind runs all commands inside flush, so that user events would hang, here in a process of their own",
  ],
  [/is unmapped when nobody has a view over it/, "oclgrind does not call back at the end of an image that was mapped"],
  [/a property that the driver does not know/, "oclgrind takes any property of a context"],
  [/program whose kernels were made elsewhere/, "oclgrind builds a program again under its kernels"],
  [/(compiling|linking) that fails is a BuildError/, "oclgrind's linker and its log are not complete"],
  [/^a sampler (is what its options say|comes out as an address)/, "oclgrind answers wrongly about samplers"],
];

/** Findings that are the simulator's compiler's. */
const knownFindings = [
  [
    /not aligned to the pointed type[^]* to->field\d+(\[\d+\])+ = from->field/,
    "its clang forgets that arrays of 3-vectors in packed structs are not aligned",
  ],
];

await bundle();
const files = chosenFiles().map((name) => `test/${name}.test.ts`);
process.exitCode = (await runOnOclgrind(core, files, { limits, known: knownFindings })) ? 0 : 1;

function chosenFiles() {
  const names = readdirSync(join(core, "test"))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => name.slice(0, -".test.ts".length));
  if (choice === undefined) return quick.filter((name) => names.includes(name));
  if (choice !== "--full") return names.filter((name) => name.includes(choice));
  for (const [pattern, why] of leftOut) {
    console.log(`left out: ${names.filter((name) => pattern.test(name)).join(", ")}: ${why}`);
  }
  return names.filter((name) => !leftOut.some(([pattern]) => pattern.test(name)));
}
