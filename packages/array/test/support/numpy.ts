/** NumPy, as packaged by Debian, as the reference. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { needs } from "@cl/base/testing";
import { python } from "@cl/testing/python";

const script = fileURLToPath(new URL("numpy_expect.py", import.meta.url));

/** Whether NumPy is installed. */
const hasNumPy: boolean = spawnSync(python, ["-c", "import numpy"]).status === 0;

/** Skips a test if NumPy is not installed; for `beforeEach`. */
export function needsNumPy(run: Parameters<typeof needs>[0]): void {
  needs(run, hasNumPy, "NumPy is not installed (apt install python3-numpy)");
}

/** Returns NumPy's answer to a question. */
export function askNumPy(kind: "cases" | "promotions", question: unknown): unknown {
  const { status, stdout, stderr } = spawnSync(python, [script, JSON.stringify(kind)], {
    input: JSON.stringify(question),
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`NumPy failed: ${stderr.toString()}`);
  return JSON.parse(stdout.toString());
}
