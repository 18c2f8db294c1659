/** NumPy, as packaged by Debian, is the reference. */
import { spawnSync } from "node:child_process";

import { needs } from "@cl/base/testing";
import { python } from "@cl/testing/python";

/** Whether NumPy is installed. */
const hasNumPy: boolean = spawnSync(python, ["-c", "import numpy"]).status === 0;

/** Skips a test if NumPy is not installed; for `beforeEach`. */
export function needsNumPy(run: Parameters<typeof needs>[0]): void {
  needs(run, hasNumPy, "NumPy is not installed (apt install python3-numpy)");
}
