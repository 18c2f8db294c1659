import { needs } from "@cl/base/testing";
import { environmentOf, needsLibrary } from "./support/library.js";
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const source = `import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";
import { mkdtempSync, rmSync } from "node:fs";
const cache = (process.env.POCL_CACHE_DIR = mkdtempSync("/tmp/cl-pocl-test-"));
const context = Context.create();
const queue = new CommandQueue(context);
const program = await new Program(context, "__kernel void f(__global float *x) { x[0] = sin(x[0]); }").build();
const x = DeviceBuffer.from(context, Float32Array.of(1));
program.kernel("f").launch(queue, { global: 1 }, x);
console.log((await queue.read(x))[0].toFixed(4));
rmSync(cache, { recursive: true });`;

test("executes no program to build and run a kernel", (run) => {
  const folder = needsLibrary(run);
  needs(run, spawnSync("strace", ["-V"]).status === 0, "strace is not installed");
  const { stdout, stderr } = spawnSync(
    "strace",
    ["-f", "-qq", "-e", "trace=execve,execveat", process.execPath, "--input-type=module", "-e", source],
    {
      cwd: new URL("../../testing", import.meta.url),
      encoding: "utf8",
      env: { ...process.env, CL_NO_CACHE: "1", ...environmentOf(folder) },
    },
  );
  expect(stdout.trim()).toBe("0.8415");
  const executed = stderr.split("\n").filter((line) => /\bexecve(at)?\(/.test(line));
  expect(executed).toHaveLength(1);
});
