/** A device, a queue and helpers for the tests of kernels. */
import { CommandQueue, Context, DeviceBuffer, type Kernel, Program } from "@cl/core";

export const context: Context = Context.create();
export const queue: CommandQueue = new CommandQueue(context);
export const device = queue.device;

/** Returns a buffer with these numbers. */
export const ints = (...values: number[]): DeviceBuffer<Int32Array> =>
  DeviceBuffer.from(context, Int32Array.from(values));
export const floats = (...values: number[]): DeviceBuffer<Float32Array> =>
  DeviceBuffer.from(context, Float32Array.from(values));

/** Returns the numbers in a buffer. */
export const read = (buffer: DeviceBuffer<Int32Array | Float32Array>): number[] => [...queue.readSync(buffer)];

/** Returns the array 0, 1, 2, … */
export const counting = (length: number): Int32Array<ArrayBuffer> => Int32Array.from({ length }, (_, i) => i);

/** Returns memory that can be resized, which the type checker does not know yet. */
export function resizable(bytes: number): ArrayBuffer {
  const Resizable = ArrayBuffer as unknown as new (bytes: number, options: { maxByteLength: number }) => ArrayBuffer;
  return new Resizable(bytes, { maxByteLength: 2 * bytes });
}

/** Builds a source and returns its first kernel, without static parameter types. */
export function kernelOf(source: string): Kernel {
  const [kernel] = new Program(context, source).buildSync().kernels();
  return kernel as Kernel;
}

/** The source of a kernel `add` for integers. */
export const saxpy: string =
  "__kernel void add(int a, __global const int *x, __global int *y) { y[get_global_id(0)] += a * x[get_global_id(0)]; }";

/** Returns the error that a call throws. */
export function thrownBy(call: () => unknown): Error {
  try {
    call();
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error(`${String(error)} was thrown, which is no Error`, { cause: error });
  }
  throw new Error("nothing was thrown");
}
