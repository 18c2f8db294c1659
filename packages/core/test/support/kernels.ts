/** A device, a queue and helpers for the tests of kernels. */
import { CommandQueue, Context, type Kernel, Program } from "@cl/core";

export const context: Context = Context.create();
export const queue: CommandQueue = new CommandQueue(context);
export const device = queue.device;

/** Builds a source and returns its first kernel, without static parameter types. */
export function kernelOf(source: string): Kernel {
  const [kernel] = new Program(context, source).buildSync().kernels();
  return kernel as Kernel;
}

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
