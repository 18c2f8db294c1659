/** A device, a queue, and kernels from a line of source, for the tests of kernels. */
import { CommandQueue, Context, type Kernel, Program } from "@cl/core";

export const context: Context = Context.create();
export const queue: CommandQueue = new CommandQueue(context);
export const device = queue.device;

/** The only kernel of a source. The type checker knows nothing of it, as in JavaScript. */
export function kernelOf(source: string): Kernel {
  const [kernel] = new Program(context, source).buildSync().kernels();
  return kernel as Kernel;
}

/** What a call throws. */
export function thrownBy(call: () => unknown): Error {
  try {
    call();
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error(`${String(error)} was thrown, which is no Error`, { cause: error });
  }
  throw new Error("nothing was thrown");
}
