/** Questions that only a kernel can answer. */
import { checkInstance, checkOptions, checkSignal, outOfRange } from "@cl/base";
import { Context, Device, Program } from "@cl/core";

/** How a question may be answered that may need a kernel. */
export interface KernelQuestionOptions {
  /** A context with the device, for the kernel; without it one is made for the time of the question. */
  readonly context?: Context;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

/** Checks the arguments of such a question. */
export function checkKernelQuestion(device: Device, options: KernelQuestionOptions | undefined): KernelQuestionOptions {
  checkInstance(device, Device, "device");
  const { context, signal } = checkOptions(options, ["context", "signal"]);
  checkSignal(signal);
  signal?.throwIfAborted();
  if (context !== undefined && !checkInstance(context, Context, "options.context").devices.includes(device)) {
    throw outOfRange(`options.context must have the device '${device.name}', but it has not`);
  }
  return options ?? {};
}

/** Builds the source, asks, and releases what it made. */
export async function askKernel<T>(
  device: Device,
  source: string,
  { context, signal }: KernelQuestionOptions,
  ask: (program: Program) => T,
): Promise<T> {
  const place = context ?? new Context(device);
  const program = new Program(place, source);
  try {
    await program.build(signal === undefined ? {} : { signal });
    return ask(program);
  } finally {
    program.release();
    if (context === undefined) place.release();
  }
}

/** As {@link askKernel}, and blocks. */
export function askKernelSync<T>(
  device: Device,
  source: string,
  { context }: KernelQuestionOptions,
  ask: (program: Program) => T,
): T {
  const place = context ?? new Context(device);
  const program = new Program(place, source);
  try {
    program.buildSync();
    return ask(program);
  } finally {
    program.release();
    if (context === undefined) place.release();
  }
}
