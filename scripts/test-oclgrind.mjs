// Runs the kernel tests of core and array on oclgrind.
//   node scripts/test-oclgrind.mjs [core|array [ARGUMENT…]]   with arguments of that package's script
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const [only, ...rest] = process.argv.slice(2);
const names = only === undefined ? ["core", "array"] : [only];
const failed = names.filter((name) => {
  const script = fileURLToPath(new URL(`../packages/${name}/scripts/oclgrind.mjs`, import.meta.url));
  console.log(`@cl/${name}`);
  return spawnSync(process.execPath, [script, ...rest], { stdio: "inherit" }).status !== 0;
});
process.exitCode = failed.length === 0 ? 0 : 1;
