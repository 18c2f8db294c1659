/** Device, queues and kernels of the tests. */
import { CommandQueue, Context, type Device, DeviceBuffer, Program } from "@cl/core";
import { needs, type Run } from "@cl/base/testing";

export const context: Context = Context.create();
/** The last device, so that tests notice a wrong fallback to the default, which is the first device. */
const device = context.devices.at(-1) as Device;
export const queue: CommandQueue = new CommandQueue(context, { device });
export const outOfOrder: CommandQueue = new CommandQueue(context, { device, outOfOrder: true });
export const profiled: CommandQueue = new CommandQueue(context, { device, profiling: true });

/** The queues to test every launch on. */
export const targets = [
  ["an in-order queue", queue],
  ["an out-of-order queue", outOfOrder],
] as const;
/** PoCL's single-threaded device has no user events. */
const hasUserEvents = !context.devices.some(({ name }) => name.startsWith("basic"));
/** Skips a test if the device has no user events. */
export function needsUserEvents(run: Run): void {
  needs(run, hasUserEvents, "the device has no user events");
}

const source = `
  // Adding and multiplying do not commute, so that results show the order.
  __kernel void add(__global int *x, int a) { x[get_global_id(0)] += a; }
  __kernel void multiply(__global int *x, int a) { x[get_global_id(0)] *= a; }
  __kernel void mixing(__global const int *x, __global int *y, int a) {
    size_t i = get_global_id(0);
    y[i] = y[i] * 3 + a * x[i];
  }
  __kernel void axpy(float a, __global const float *x, __global float *y, uint n) {
    size_t i = get_global_id(0);
    if (i < n) y[i] += a * x[i];
  }
  // Stores its sizes.
  __kernel void sizes(__global uint *out, uint n) {
    out[0] = (uint)get_global_size(0);
    out[1] = (uint)get_local_size(0);
    out[2] = n;
  }
  // Slow enough that commands that do not wait for it overtake it.
  __kernel void slow_set(__global int *x, int a) {
    uint r = a;
    for (int i = 0; i < 200000; i++) r = r * 3u + 1u;
    for (int i = 0; i < 200000; i++) r = (r - 1u) * 2863311531u; // the inverse of 3
    x[get_global_id(0)] = (int)r;
  }
  __kernel void digits(__global int *x, int i, int j) { x[0] = x[0] * 100 + i * 10 + j; }
  __kernel void mark(__global int *x, int i, int j, int base) { x[i * 10 + j] = base + i * 10 + j; }` as const;

export const program: Program<typeof source> = new Program(context, source).buildSync();
const one = `__kernel void only(__global int *x, int a) { x[get_global_id(0)] += a; }` as const;
export const singleProgram: Program<typeof one> = new Program(context, one).buildSync();

export const ints = (...values: number[]): DeviceBuffer<Int32Array> =>
  DeviceBuffer.from(context, Int32Array.from(values));
export const floats = (...values: number[]): DeviceBuffer<Float32Array> =>
  DeviceBuffer.from(context, Float32Array.from(values));
const reader = new CommandQueue(context, { device });
/** Returns the current contents of a buffer, without waiting for the tested queues. */
export const readNow = async (buffer: DeviceBuffer<Int32Array>): Promise<number[]> => [...(await reader.read(buffer))];
/** Returns the contents of a buffer after all commands on {@link queue}. */
export const read = async (buffer: DeviceBuffer<Int32Array> | DeviceBuffer<Float32Array>): Promise<number[]> => [
  ...(await queue.read(buffer as DeviceBuffer<Float32Array>)),
];
