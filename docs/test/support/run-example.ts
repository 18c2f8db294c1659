/** Runs an example as users do: the built one, in a process of its own. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The lines that it prints. */
export async function runExample(name: string): Promise<string[]> {
  const main = fileURLToPath(new URL(`../../../examples/${name}/dist/main.js`, import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main], {
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  if (stderr !== "") throw new Error(stderr);
  return stdout.trimEnd().split("\n");
}
