/** The library for arm64 in an emulator. A program in C uses it, because the tests have no Node.js for arm64. */
import { needs, type Run } from "@cl/base/testing";
import { needsLibraryFor } from "./support/library.js";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const compiler = "aarch64-linux-gnu-gcc";
const emulators = ["qemu-aarch64", "qemu-aarch64-static"];
/** Folder with the C library for arm64, which the compiler's package depends on. */
const system = "/usr/aarch64-linux-gnu";

const runs = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

/** Skips the test if the emulator or the compiler is not installed. Returns the emulator. */
function needsEmulator(run: Run): string {
  const emulator = emulators.find(runs);
  needs(run, runs(compiler), "the compiler is not installed: apt install g++-aarch64-linux-gnu");
  if (emulator === undefined) run.skip("the emulator is not installed: apt install qemu-user");
  return emulator;
}

/** One quarter of the work-items computes each function. */
const source = `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void f(__global float *x) {
  __local float reversed[64];
  const int i = get_local_id(0);
  reversed[63 - i] = x[i];
  const float total = work_group_reduce_add(x[i]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 16) x[i] = sin(x[i] + 1);
  else if (i < 32) x[i] = exp((float4)(x[i]) / 8).z;
  else if (i < 48) x[i] = sqrt((half)x[i]);
  else x[i] = reversed[i] + total;
}`;

function expected(i: number): number {
  if (i < 16) return Math.sin(i + 1);
  if (i < 32) return Math.exp(i / 8);
  if (i < 48) return Math.sqrt(i);
  return 63 - i + (63 * 64) / 2;
}

/** The oldest processors, and one with all extensions that the emulator has. */
const processors = ["cortex-a53", "max"];

test.for(processors)("builds and runs a kernel on arm64: %s", { timeout: 300_000 }, (processor, run) => {
  const folder = needsLibraryFor(run, "linux-arm64");
  const emulator = needsEmulator(run);
  const scratch = mkdtempSync(join(tmpdir(), "cl-pocl-arm64-"));
  try {
    const program = join(scratch, "run-kernel");
    const code = fileURLToPath(new URL("support/run-kernel.c", import.meta.url));
    // The headers of OpenCL, after those of the compiler.
    execFileSync(compiler, ["-Wall", "-Werror", code, "-o", program, "-idirafter", "/usr/include", "-ldl"]);
    const { status, signal, stdout, stderr } = spawnSync(
      emulator,
      ["-cpu", processor, "-L", system, program, join(folder, "lib/libpocl.so"), "64", source],
      { encoding: "utf8", env: { ...process.env, POCL_CACHE_DIR: join(scratch, "cache") } },
    );
    expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: "" });
    const [device = "", extensions = "", ...values] = stdout.trimEnd().split("\n");
    expect(device).not.toBe("");
    expect(extensions.split(" ")).toEqual(expect.arrayContaining(["cl_khr_fp64", "cl_khr_fp16", "cl_khr_subgroups"]));
    expect(values).toHaveLength(64);
    // Half precision has 11 bits.
    for (const [i, value] of values.entries()) expect(Number(value) / expected(i)).toBeCloseTo(1, i < 32 ? 6 : 3);
  } finally {
    rmSync(scratch, { recursive: true });
  }
});
