/** What PoCL 7.1 can do and PoCL 3.1 cannot. */
import type { Run } from "@cl/base/testing";
import { expect, test } from "vitest";

import { needsLibrary, runOnLibrary } from "./support/library.js";

/** Runs a kernel `f` in one work-group over an array of 0 to 63. Returns the array. */
async function valuesOf(run: Run, source: string, launches = 1): Promise<unknown> {
  const script = `
    const program = await new Program(context, ${JSON.stringify(source)}).build({ options: "-cl-std=CL3.0" });
    const x = DeviceBuffer.from(context, Int32Array.from({ length: 64 }, (_, i) => i));
    for (let i = 0; i < ${launches}; i++) program.kernel("f").launch(queue, { global: 64, local: 64 }, x);
    console.log(JSON.stringify([...(await queue.read(x))]));`;
  return runOnLibrary(needsLibrary(run), script);
}

const sum = (64 * 63) / 2;

test("reduces and scans within a work-group", async (run) => {
  const source = `__kernel void f(__global int *x) {
    const int i = get_local_id(0);
    const int total = work_group_reduce_add(x[i]);
    const int scanned = work_group_scan_inclusive_add(x[i]);
    x[i] = i == 0 ? total : scanned;
  }`;
  const values = (await valuesOf(run, source)) as number[];
  expect([values[0], values[63]]).toEqual([sum, sum]);
});

test("reduces and shuffles within a sub-group", async (run) => {
  const source = `__kernel void f(__global int *x) {
    const int i = get_local_id(0);
    const int value = sub_group_reduce_max((int)get_sub_group_local_id()) + 1;
    const int last = sub_group_broadcast(x[i], get_sub_group_size() - 1);
    x[i] = (value == get_sub_group_size()) + 2 * (last >= x[i]);
  }`;
  expect(await valuesOf(run, source)).toEqual(Array(64).fill(3));
});

test("keeps program-scope variables between launches", async (run) => {
  const source = `__global int calls = 40;
  __kernel void f(__global int *x) {
    if (get_local_id(0) == 0) calls++;
    barrier(CLK_GLOBAL_MEM_FENCE);
    x[get_local_id(0)] = calls;
  }`;
  expect(await valuesOf(run, source, 2)).toEqual(Array(64).fill(42));
});

test("passes pointers of any address space to one function", async (run) => {
  const source = `int get(int *p) { return *p; }
  __kernel void f(__global int *x) {
    const int i = get_local_id(0);
    __local int shared;
    int own = 1;
    if (i == 0) shared = 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    x[i] = get(&shared) + get(&own) + get(&x[i]) - i;
  }`;
  expect(await valuesOf(run, source)).toEqual(Array(64).fill(3));
});

test("computes with halves", async (run) => {
  const source = `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
  __kernel void f(__global int *x) {
    const int i = get_local_id(0);
    const half a = i;
    x[i] = convert_int(sqrt(a * a) + (half)0.5f) ;
  }`;
  expect(await valuesOf(run, source)).toEqual(Array.from({ length: 64 }, (_, i) => i));
});

test("adds floats atomically", async (run) => {
  const source = `#pragma OPENCL EXTENSION cl_ext_float_atomics : enable
  __kernel void f(__global int *x) {
    __local atomic_float total;
    if (get_local_id(0) == 0) atomic_init(&total, 0.0f);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&total, 0.5f, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_local_id(0)] = atomic_load_explicit(&total, memory_order_relaxed, memory_scope_work_group);
  }`;
  expect(await valuesOf(run, source)).toEqual(Array(64).fill(32));
});

test("accesses any typed array without a copy", async (run) => {
  const script = `
    const { Svm } = await import("@cl/core");
    const program = await new Program(context, "__kernel void f(__global int *x) { x[get_global_id(0)] *= 2; }").build();
    const x = Int32Array.from({ length: 1000 }, (_, i) => i);
    const shared = new Svm(context, x);
    program.kernel("f").launch(queue, { global: x.length }, shared);
    await queue.finish();
    console.log(JSON.stringify({ doubled: x.every((value, i) => value === 2 * i) }));`;
  expect(await runOnLibrary(needsLibrary(run), script)).toEqual({ doubled: true });
});

test("repeats commands that were recorded in a command buffer", async (run) => {
  const script = `
    const { CommandBuffer } = await import("@cl/core");
    const program = await new Program(context, "__kernel void f(__global int *x) { x[get_global_id(0)] += 1; }").build();
    const x = DeviceBuffer.from(context, new Int32Array(4));
    const y = DeviceBuffer.from(context, new Int32Array(4));
    const commands = new CommandBuffer(queue).push(program.kernel("f").bind({ global: 4 }, x)).pushCopy(y, x).finalize();
    for (let i = 0; i < 3; i++) await commands.enqueue().wait();
    console.log(JSON.stringify([...(await queue.read(y))]));`;
  expect(await runOnLibrary(needsLibrary(run), script)).toEqual([3, 3, 3, 3]);
});
