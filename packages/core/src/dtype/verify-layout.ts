/** Whether a device's compiler lays out a struct as we do. */
import { checkInstance, checkOptions, checkSignal, typeError } from "../check.js";
import { Context } from "../platform/context.js";
import { Device } from "../platform/device.js";
import { DeviceBuffer } from "../memory/buffer.js";
import { NotSupportedError, OpenCLError } from "../errors.js";
import { type CompilerOptions, readOptions } from "../program/build-options.js";
import { Program } from "../program/program.js";
import { CommandQueue } from "../queue/queue.js";
import { answersFor, extensionsFor, layoutSource } from "./layout-source.js";
import { codecOf } from "./dtype.js";
import { StructType } from "./struct-type.js";
import { handleOf, Resource } from "../binding/resource.js";

/** How to verify a layout. */
export interface VerifyLayoutOptions {
  /** Options of the programs that will use the struct, since they may change what its text means. */
  readonly options?: CompilerOptions;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

/** A struct that a device's compiler lays out in another way than we do. */
export class StructLayoutError extends OpenCLError {
  /** The struct; one inside the verified one, if that is where they differ first. */
  readonly struct: StructType;
  /** The device. */
  readonly device: Device;

  /** @internal */
  constructor(struct: StructType, device: Device, answers: readonly number[]) {
    super(
      "ERR_CL_STRUCT_LAYOUT",
      0,
      "clBuildProgram",
      `'${device.name}' lays out struct ${struct.name} in another way: ${describeAnswers(struct, answers)} there, ` +
        `${describeAnswers(struct, expectedAnswers(struct))} here`,
    );
    this.struct = struct;
    this.device = device;
  }
}

/** What was found right, by device: its compiler does not change. */
const verified = new WeakMap<Device, Set<string>>();

/**
 * Asks a device's compiler for the size, the alignment and the offsets of a struct and those inside it, with a small
 * kernel; throws a {@link StructLayoutError} that shows both layouts where they differ. A device is asked once.
 *
 * @param target - a device, a queue (its device is asked), or a context (all of its devices are)
 *
 * @example
 * ```ts
 * await verifyLayout(queue, structType("particle", { position: "float3", mass: "float32" }));
 * ```
 */
export async function verifyLayout(
  target: Device | Context | CommandQueue,
  struct: StructType,
  options?: VerifyLayoutOptions,
): Promise<void> {
  const given = checkOptions(options);
  checkSignal(given.signal);
  // What only pretends to be a struct has no codec.
  codecOf(checkInstance(struct, StructType, "struct"));
  const [context, devices] = split(target);
  try {
    for (const device of devices) await verifyOnce(context, device, struct, given);
  } finally {
    if (target instanceof Device) context.release();
  }
}

function split(target: Device | Context | CommandQueue): [Context, readonly Device[]] {
  // Also where nothing has to be asked, a released one is a mistake.
  if (target instanceof Resource) handleOf(target);
  if (target instanceof Context) return [target, target.devices];
  if (target instanceof CommandQueue) return [target.context, [target.device]];
  if (target instanceof Device) return [new Context([target]), [target]];
  throw typeError("target", "a Device, a CommandQueue or a Context", target);
}

async function verifyOnce(
  context: Context,
  device: Device,
  struct: StructType,
  options: VerifyLayoutOptions,
): Promise<void> {
  const known = verified.get(device) ?? new Set();
  verified.set(device, known);
  const key = JSON.stringify([struct.cDeclaration, readOptions(options.options)]);
  if (known.has(key)) return;
  const { structs } = struct;
  const answers = await ask(context, device, struct, options);
  let next = 0;
  for (const one of structs) {
    const count = answersFor(one);
    const own = answers.slice(next, next + count);
    if (own.join() !== expectedAnswers(one).join()) throw new StructLayoutError(one, device, own);
    next += count;
  }
  known.add(key);
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

function expectedAnswers({ itemSize, alignment, fields }: StructType): number[] {
  return [itemSize, alignment, ...Array.from(fields.values(), ({ offset }) => offset)];
}

function describeAnswers({ fields }: StructType, [bytes, alignment, ...offsets]: readonly number[]): string {
  const places = [...fields.keys()].map((name, i) => `${name} at ${offsets[i]}`).join(", ");
  return `${bytes} bytes, alignment ${alignment}, ${places}`;
}
