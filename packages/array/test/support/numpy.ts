/** Debian's NumPy, which says what is right. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const python = "/usr/bin/python3";
const script = fileURLToPath(new URL("numpy_expect.py", import.meta.url));

/** Whether it is there. */
export const hasNumPy: boolean = existsSync(python) && spawnSync(python, ["-c", "import numpy"]).status === 0;

/** Its answer to a question. */
export function askNumPy(kind: "cases" | "promotions", question: unknown): unknown {
  const { status, stdout, stderr } = spawnSync(python, [script, JSON.stringify(kind)], {
    input: JSON.stringify(question),
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`NumPy failed: ${stderr.toString()}`);
  return JSON.parse(stdout.toString());
}
