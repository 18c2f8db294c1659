import { needs } from "@cl/base/testing";
import { lastResult } from "@cl/testing/run-module";
import { environmentOf, needsLibrary } from "./support/library.js";
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { expect, test } from "vitest";

const source = `import { Context } from "@cl/core";
console.log(JSON.stringify(Context.create().devices.map((device) => device.maxComputeUnits)));`;

test("counts the processors that the process may use", (run) => {
  const folder = needsLibrary(run);
  needs(run, spawnSync("taskset", ["--version"]).status === 0, "taskset is not installed");
  for (const [processors, expected] of [
    ["0", 1],
    [`0-${availableParallelism() - 1}`, availableParallelism()],
  ] as const) {
    const { status, stdout, stderr } = spawnSync(
      "taskset",
      ["-c", processors, process.execPath, "--input-type=module", "-e", source],
      {
        cwd: new URL("../../testing", import.meta.url),
        encoding: "utf8",
        env: { ...process.env, ...environmentOf(folder) },
      },
    );
    expect(lastResult({ code: status, signal: null, stdout, stderr })).toEqual([expected]);
  }
});
