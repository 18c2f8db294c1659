/** Queries of the struct layouts of device compilers, with a small kernel. */
import { checkInstance, checkOptions, checkSignal, typeError } from "@cl/base";

import { Context } from "../platform/context.js";
import { Device } from "../platform/device.js";
import { DeviceBuffer } from "../memory/buffer.js";
import { NotSupportedError } from "../binding/errors.js";
import { readOptions } from "../program/build-options.js";
import { Program } from "../kernel/program.js";
import { CommandQueue } from "../command-queue/command-queue.js";
import type { LayoutAnswers } from "./layout-answers.js";
import { answersFor, extensionsFor, layoutSource } from "./layout-source.js";
import { codecOf } from "../dtype/dtype.js";
import { StructType } from "../dtype/struct-type.js";
import type { VerifyLayoutOptions } from "./verify-layout.js";
import { handleOf, Resource } from "../binding/resource.js";

/** A device and the layouts that its compiler reports. */
export type DeviceAnswers = readonly [Device, LayoutAnswers];

/** Returns the layout of a struct on each device of `target`; cached per device. */
export async function askDevices(
  target: Device | Context | CommandQueue,
  struct: StructType,
  options: VerifyLayoutOptions | undefined,
): Promise<readonly DeviceAnswers[]> {
  const given = checkOptions(options, ["options", "signal"]);
  checkSignal(given.signal);
  // Rejects objects that only have StructType's prototype.
  codecOf(checkInstance(struct, StructType, "struct"));
  const [context, devices] = split(target);
  const results: DeviceAnswers[] = [];
  try {
    for (const device of devices) results.push([device, await cachedAnswers(context, device, struct, given)]);
  } finally {
    if (target instanceof Device) context.release();
  }
  return results;
}

/** Cached layouts by device. */
const answersCache = new WeakMap<Device, Map<string, LayoutAnswers>>();

function split(target: Device | Context | CommandQueue): [Context, readonly Device[]] {
  // A released target throws even if the layout is cached.
  if (target instanceof Resource) handleOf(target);
  if (target instanceof Context) return [target, target.devices];
  if (target instanceof CommandQueue) return [target.context, [target.device]];
  if (target instanceof Device) return [new Context([target]), [target]];
  throw typeError("target", "a Device, a CommandQueue or a Context", target);
}

async function cachedAnswers(
  context: Context,
  device: Device,
  struct: StructType,
  options: VerifyLayoutOptions,
): Promise<LayoutAnswers> {
  const cache = answersCache.get(device) ?? new Map<string, LayoutAnswers>();
  answersCache.set(device, cache);
  const key = JSON.stringify([struct.cDeclaration, readOptions(options.options)]);
  let answers = cache.get(key);
  if (answers === undefined) {
    const numbers = await runLayoutKernel(context, device, struct, options);
    let next = 0;
    answers = new Map(struct.structs.map((inner) => [inner.name, numbers.slice(next, (next += answersFor(inner)))]));
    cache.set(key, answers);
  }
  return answers;
}

async function runLayoutKernel(
  context: Context,
  device: Device,
  struct: StructType,
  options: VerifyLayoutOptions,
): Promise<number[]> {
  const extensions = [...extensionsFor(struct)];
  if (extensions.includes("cl_khr_fp64") && !device.hasExtension("cl_khr_fp64")) {
    throw new NotSupportedError(
      "clBuildProgram",
      `struct ${struct.name} contains doubles, which '${device.name}' does not support`,
    );
  }
  const source = layoutSource(
    struct.structs,
    extensions.filter((name) => device.hasExtension(name)),
  );
  const { signal } = options;
  const wait = signal === undefined ? {} : { signal };
  const compilerOptions = options.options === undefined ? {} : { options: options.options };
  using program = new Program(context, source, { label: `layout of ${struct.name}` });
  await program.build({ devices: [device], ...compilerOptions, ...wait });
  const count = struct.structs.reduce((sum, inner) => sum + answersFor(inner), 0);
  using queue = new CommandQueue(context, { device });
  using memory = new DeviceBuffer(context, 128);
  using answers = DeviceBuffer.empty(context, BigUint64Array, count);
  using kernel = program.kernel("report_layout");
  kernel.launch(queue, { global: 1 }, memory, answers);
  return Array.from(await queue.read(answers, { ...wait }), Number);
}
