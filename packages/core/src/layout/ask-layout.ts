/** Asks devices' compilers how they lay out structs, with a small kernel. */
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

/** A device and what it said. */
export type DeviceAnswers = readonly [Device, LayoutAnswers];

/** What each device of `target` says of a struct; a device is asked once. */
export async function askDevices(
  target: Device | Context | CommandQueue,
  struct: StructType,
  options: VerifyLayoutOptions | undefined,
): Promise<readonly DeviceAnswers[]> {
  const given = checkOptions(options, ["options", "signal"]);
  checkSignal(given.signal);
  // What only pretends to be a struct has no codec.
  codecOf(checkInstance(struct, StructType, "struct"));
  const [context, devices] = split(target);
  const all: DeviceAnswers[] = [];
  try {
    for (const device of devices) all.push([device, await askOnce(context, device, struct, given)]);
  } finally {
    if (target instanceof Device) context.release();
  }
  return all;
}

/** What was answered, by device: its compiler does not change. */
const answered = new WeakMap<Device, Map<string, LayoutAnswers>>();

function split(target: Device | Context | CommandQueue): [Context, readonly Device[]] {
  // Also where nothing has to be asked, a released one is a mistake.
  if (target instanceof Resource) handleOf(target);
  if (target instanceof Context) return [target, target.devices];
  if (target instanceof CommandQueue) return [target.context, [target.device]];
  if (target instanceof Device) return [new Context([target]), [target]];
  throw typeError("target", "a Device, a CommandQueue or a Context", target);
}

async function askOnce(
  context: Context,
  device: Device,
  struct: StructType,
  options: VerifyLayoutOptions,
): Promise<LayoutAnswers> {
  const known = answered.get(device) ?? new Map<string, LayoutAnswers>();
  answered.set(device, known);
  const key = JSON.stringify([struct.cDeclaration, readOptions(options.options)]);
  let answers = known.get(key);
  if (answers === undefined) {
    const all = await ask(context, device, struct, options);
    let next = 0;
    answers = new Map(struct.structs.map((one) => [one.name, all.slice(next, (next += answersFor(one)))]));
    known.set(key, answers);
  }
  return answers;
}

async function ask(
  context: Context,
  device: Device,
  struct: StructType,
  options: VerifyLayoutOptions,
): Promise<number[]> {
  const extensions = [...extensionsFor(struct)];
  if (extensions.includes("cl_khr_fp64") && !device.hasExtension("cl_khr_fp64")) {
    throw new NotSupportedError(
      "clBuildProgram",
      `struct ${struct.name} has doubles, which '${device.name}' does not know`,
    );
  }
  const source = layoutSource(
    struct.structs,
    extensions.filter((name) => device.hasExtension(name)),
  );
  const { signal } = options;
  const wait = signal === undefined ? {} : { signal };
  const asked = options.options === undefined ? {} : { options: options.options };
  using program = new Program(context, source, { label: `layout of ${struct.name}` });
  await program.build({ devices: [device], ...asked, ...wait });
  const count = struct.structs.reduce((sum, one) => sum + answersFor(one), 0);
  using queue = new CommandQueue(context, { device });
  using memory = new DeviceBuffer(context, 128);
  using answers = DeviceBuffer.empty(context, BigUint64Array, count);
  using kernel = program.kernel("report_layout");
  kernel.launch(queue, { global: 1 }, memory, answers);
  return Array.from(await queue.read(answers, { ...wait }), Number);
}
