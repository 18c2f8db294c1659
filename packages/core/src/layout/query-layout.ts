/** Queries of the struct layouts of device compilers, with a small kernel. */
import { checkInstance, checkOptions, checkSignal, typeError } from "@cl/base";

import { Context } from "../platform/context.js";
import { Device } from "../platform/device.js";
import { DeviceBuffer } from "../memory/buffer.js";
import { NotSupportedError } from "../binding/errors.js";
import { readOptions } from "../program/build-options.js";
import { Program } from "../kernel/program.js";
import { CommandQueue } from "../command-queue/command-queue.js";
import type { ReportedLayouts } from "./reported-layout.js";
import { extensionsFor, layoutSource, numberCount } from "./layout-source.js";
import { codecOf } from "../dtype/dtype.js";
import { StructType } from "../dtype/struct-type.js";
import type { VerifyLayoutOptions } from "./verify-layout.js";
import { handleOf, Resource } from "../binding/resource.js";

/** A device and the layouts that its compiler reports. */
export type DeviceLayouts = readonly [Device, ReportedLayouts];

/** Returns the layout of a struct on each device of `target`; cached per device. */
export async function queryLayouts(
  target: Device | Context | CommandQueue,
  struct: StructType,
  options: VerifyLayoutOptions | undefined,
): Promise<readonly DeviceLayouts[]> {
  const given = checkOptions(options, ["options", "signal"]);
  checkSignal(given.signal);
  // Rejects objects that only have StructType's prototype.
  codecOf(checkInstance(struct, StructType, "struct"));
  const [context, devices] = split(target);
  const results: DeviceLayouts[] = [];
  try {
    for (const device of devices) results.push([device, await cachedLayouts(context, device, struct, given)]);
  } finally {
    if (target instanceof Device) context.release();
  }
  return results;
}

/** Cached layouts by device. */
const layoutCache = new WeakMap<Device, Map<string, ReportedLayouts>>();

function split(target: Device | Context | CommandQueue): [Context, readonly Device[]] {
  // A released target throws even if the layout is cached.
  if (target instanceof Resource) handleOf(target);
  if (target instanceof Context) return [target, target.devices];
  if (target instanceof CommandQueue) return [target.context, [target.device]];
  if (target instanceof Device) return [new Context([target]), [target]];
  throw typeError("target", "a Device, a CommandQueue or a Context", target);
}

async function cachedLayouts(
  context: Context,
  device: Device,
  struct: StructType,
  options: VerifyLayoutOptions,
): Promise<ReportedLayouts> {
  const cache = layoutCache.get(device) ?? new Map<string, ReportedLayouts>();
  layoutCache.set(device, cache);
  const key = JSON.stringify([struct.cDeclaration, readOptions(options.options)]);
  let layouts = cache.get(key);
  if (layouts === undefined) {
    const numbers = await runLayoutKernel(context, device, struct, options);
    let next = 0;
    layouts = new Map(struct.structs.map((inner) => [inner.name, numbers.slice(next, (next += numberCount(inner)))]));
    cache.set(key, layouts);
  }
  return layouts;
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
  const count = struct.structs.reduce((sum, inner) => sum + numberCount(inner), 0);
  using queue = new CommandQueue(context, { device });
  using memory = new DeviceBuffer(context, 128);
  using numbers = DeviceBuffer.empty(context, BigUint64Array, count);
  using kernel = program.kernel("report_layout");
  kernel.launch(queue, { global: 1 }, memory, numbers);
  return Array.from(await queue.read(numbers, { ...wait }), Number);
}
