// Runs the kernel tests of core and array on oclgrind. Passes its arguments to core's script.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const failed = ["core", "array"].filter((name) => {
  const script = fileURLToPath(new URL(`../packages/${name}/scripts/oclgrind.mjs`, import.meta.url));
  console.log(`@cl/${name}`);
  return spawnSync(process.execPath, [script, ...process.argv.slice(2)], { stdio: "inherit" }).status !== 0;
});
process.exitCode = failed.length === 0 ? 0 : 1;
