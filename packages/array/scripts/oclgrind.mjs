// Runs each family of kernels on oclgrind, a simulator that watches each work-item (scripts/lib/oclgrind.mjs).
//
//   node scripts/oclgrind.mjs
import { fileURLToPath } from "node:url";

import { runOnOclgrind } from "../../../scripts/lib/oclgrind.mjs";

const folder = fileURLToPath(new URL("..", import.meta.url));

const good = await runOnOclgrind(folder, ["test/families"]);
process.exitCode = good ? 0 : 1;
