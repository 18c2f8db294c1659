/** Merged kernels with each way to wait for other groups, and with more groups than run at the same time. */
import { DeviceBuffer, Program } from "@cl/core";
import { needs } from "@cl/base/testing";
import { expect, test } from "vitest";

import { type CallableKernel, type CallableProgram, callableProgram } from "../../src/resident/callable-program.js";
import {
  prepareName,
  residentName,
  residentSource,
  type ResidentWay,
  sharedWords,
} from "../../src/resident/resident-source.js";
import { context, queue } from "../support/device.js";

const source = `
  __kernel void spread(__global const int *x, __global int *y) {
    const int i = get_global_id(0), n = get_global_size(0);
    y[i] = x[i] + x[(i + 1) % n] * 3 + x[(i + n / 2) % n];
  }`;

const isCpu = context.devices.every(({ type }) => (type & 2) !== 0);
const features = new Set(context.devices.flatMap((device) => device.openclCFeatures.map(({ name }) => name)));
const hasOrder = features.has("__opencl_c_atomic_order_acq_rel") && features.has("__opencl_c_atomic_scope_device");

test.for<readonly [ResidentWay, string, boolean]>([
  ["CPU", "", isCpu],
  ["ATOMICS", "-cl-std=CL3.0", hasOrder],
])("groups wait for each other by the way %s", async ([way, options, has], run) => {
  needs(run, has, "another kind of device");
  const { text, kernel } = callableProgram(source, [], "p_") as CallableProgram;
  const spread = kernel("spread") as CallableKernel;
  const n = 1024;
  for (const groups of [1, 3, 64]) {
    const start = Int32Array.from({ length: n }, (_, i) => i % 7);
    const [x, y] = [DeviceBuffer.from(context, start), DeviceBuffer.from(context, start)];
    const words = DeviceBuffer.empty(context, Uint32Array, sharedWords);
    const call = { kernel: spread, global: [n], local: undefined, offset: [] };
    const calls = Array.from({ length: 10 }, (_, k) => ({ ...call, args: k % 2 === 0 ? ["x", "y"] : ["y", "x"] }));
    const parameters = ["__global int* x", "__global int* y"];
    const merged = residentSource({ way, groups, size: 4, programs: [text], parameters, calls });
    const program = await new Program(context, merged).build({ options });
    let expected = Array.from(start);
    for (let launch = 0; launch < 5; launch++) {
      program.kernel(prepareName).launch(queue, { global: 1 }, words);
      program.kernel(residentName).launch(queue, { global: 4 * groups, local: 4 }, words, x, y);
      for (let step = 0; step < 10; step++) expected = spreadOf(expected);
    }
    expect(Array.from(await queue.read(x))).toEqual(expected);
  }
});

function spreadOf(x: readonly number[]): number[] {
  const n = x.length;
  const at = (i: number): number => x[i % n] as number;
  return x.map((value, i) => (value + Math.imul(at(i + 1), 3) + at(i + n / 2)) | 0);
}
