// Runs each kernel family on oclgrind, a simulator that checks each work-item (scripts/lib/oclgrind.mjs).
//
//   node scripts/oclgrind.mjs
import { fileURLToPath } from "node:url";

import { runOnOclgrind } from "../../../scripts/lib/oclgrind.mjs";

const folder = fileURLToPath(new URL("..", import.meta.url));

const passed = await runOnOclgrind(folder, ["test/families"]);
process.exitCode = passed ? 0 : 1;
