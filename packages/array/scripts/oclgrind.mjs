// Runs each kernel family on oclgrind, a simulator that checks each work-item (scripts/lib/oclgrind.mjs).
//
//   node scripts/oclgrind.mjs
import { runOnOclgrind } from "../../../scripts/lib/oclgrind.mjs";

/** Findings that are no defects. */
const known = [
  [
    /data race at global memory address[^\n]*\n\s*Kernel: reduce\n/,
    "the last work-item of a reduction reads what others stored before they counted themselves; the simulator does not follow the order of atomic functions and fences",
  ],
];

const passed = await runOnOclgrind("array", ["test/families"], { known });
process.exitCode = passed ? 0 : 1;
