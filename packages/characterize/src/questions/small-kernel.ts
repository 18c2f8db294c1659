/** Device queries that may need to build a small kernel. */
import { checkInstance, checkOptions, checkSignal, outOfRange } from "@cl/base";
import { Context, Device, Program } from "@cl/core";

/** Options of queries that may build a kernel. */
export interface KernelQuestionOptions {
  /** A context that contains the device. @defaultValue a temporary context */
  readonly context?: Context;
  /** Aborts the wait. */
  readonly signal?: AbortSignal;
}

/** Checks the arguments of such a query. */
export function checkKernelQuestion(device: Device, options: KernelQuestionOptions | undefined): KernelQuestionOptions {
  checkInstance(device, Device, "device");
  const { context, signal } = checkOptions(options, ["context", "signal"]);
  checkSignal(signal);
  signal?.throwIfAborted();
  if (context !== undefined && !checkInstance(context, Context, "options.context").devices.includes(device)) {
    throw outOfRange(`options.context must contain the device '${device.name}'`);
  }
  return options ?? {};
}

/** Builds a program, calls `ask` and releases the program. */
export async function askKernel<T>(
  device: Device,
  source: string,
  { context, signal }: KernelQuestionOptions,
  ask: (program: Program) => T,
): Promise<T> {
  const programContext = context ?? new Context(device);
  const program = new Program(programContext, source);
  try {
    await program.build(signal === undefined ? {} : { signal });
    return ask(program);
  } finally {
    program.release();
    if (context === undefined) programContext.release();
  }
}

/** Builds synchronously. See {@link askKernel}. */
export function askKernelSync<T>(
  device: Device,
  source: string,
  { context }: KernelQuestionOptions,
  ask: (program: Program) => T,
): T {
  const programContext = context ?? new Context(device);
  const program = new Program(programContext, source);
  try {
    program.buildSync();
    return ask(program);
  } finally {
    program.release();
    if (context === undefined) programContext.release();
  }
}
