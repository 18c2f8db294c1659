/** Runs the built example in a child process. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Returns the lines that the example prints. Throws if it writes to stderr. */
export async function runExample(name: string): Promise<string[]> {
  const main = fileURLToPath(new URL(`../../../examples/${name}/dist/main.js`, import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main], {
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  if (stderr !== "") throw new Error(stderr);
  return stdout.trimEnd().split("\n");
}
