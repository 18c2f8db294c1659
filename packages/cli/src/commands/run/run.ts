/** `clkit run`: builds a file, launches one of its kernels, and prints the time and results. */
import { basename, dirname, resolve } from "node:path";

import type { DeviceArray } from "@cl/array";
import { CommandQueue, Context, type Device, type Kernel, type LaunchSizes, Program } from "@cl/core";

import { checkWritable } from "../../check-writable.js";
import { type Command, defineCommand, UsageError } from "../../command.js";
import type { CommandIo } from "../../io.js";
import { readSource } from "../../read-source.js";
import { type ArgumentText, readArgument } from "./argument-text.js";
import type { BoundArguments } from "./bind-arguments.js";
import { parametersOf } from "./parameters.js";
import { checkDimensions, readCount, readSizes, readSaves, requiredLocal, withOptionNames } from "./sizes.js";
import { timeLaunches, type Timing, timingTable } from "./timing.js";

export const run: Command = defineCommand({
  name: "run",
  summary: "build a .cl file and launch a kernel with arguments from the command line",
  usage: "[options] FILE KERNEL [ARGUMENT…]",
  usesDevices: true,
  options: {
    global: { type: "string", short: "g", value: "N[,N[,N]]", help: "number of work-items per dimension (required)" },
    local: {
      type: "string",
      short: "l",
      value: "N[,N[,N]]",
      help: "work-group size (default: the size that the kernel requires, else the driver's choice)",
    },
    offset: { type: "string", value: "N[,N[,N]]", help: "first global id (default: 0)" },
    build: {
      type: "string",
      short: "b",
      value: "OPTIONS",
      help: 'compiler options, such as "-D N=4 -cl-mad-enable"',
    },
    device: {
      type: "string",
      short: "d",
      value: "DEVICE",
      help: "gpu, cpu, a name or PLATFORM:DEVICE, as in CL_DEVICE",
    },
    repeat: {
      type: "string",
      short: "r",
      value: "N",
      help: "number of launches; prints the first, min, median, mean and max time (default: 1)",
    },
    print: { type: "boolean", short: "p", help: "print the results" },
    save: { type: "string", short: "s", multiple: true, value: "NAME=FILE.npy", help: "write a result to a file" },
    seed: { type: "string", value: "N", help: "seed of the random numbers (default: 0)" },
    json: { type: "boolean", help: "print times in nanoseconds as JSON, with --print also the results" },
  },
  maxPositionals: Number.POSITIVE_INFINITY,
  notes: [
    "Give one ARGUMENT per parameter of the kernel, in order:",
    "  3  -2.5f  0x1f  inf      a number                     1,2,3,4              a vector",
    "  data.npy                 elements of a NumPy file     out:float32[1024]    zeros; a result",
    "  zeros:TYPE  rand:TYPE    generated elements           inout:data.npy       these elements; a result,",
    "  range:TYPE               0, 1, 2 …                                         also with zeros:, rand:, range:",
    "  local:1024               local memory, in bytes       null                 a null pointer",
    "  sampler:linear,repeat    a sampler                    norm:data.npy        pixels read as fractions",
    "A TYPE is float32[1024], uint8[480,640], float4[16], or [1024] with the kernel's element type.",
    "",
    "Example:",
    "  clkit run axpy.cl axpy --global 1024 --print 2 rand:[1024] inout:range:[1024] 1024",
  ],
  async run(values, [file, name, ...texts], io) {
    const { build = "", device, print = false, json = false } = values;
    if (file === undefined || name === undefined) {
      throw new UsageError("A file and a kernel are required: clkit run axpy.cl axpy --global 1024 ….");
    }
    const global = readSizes(values.global, "global", 1);
    if (global === undefined) {
      throw new UsageError("--global is required: the number of work-items, such as --global 1024.");
    }
    const local = readSizes(values.local, "local", 1);
    const offset = readSizes(values.offset, "offset", 0);
    checkDimensions(global, local, "local");
    checkDimensions(global, offset, "offset");
    const repeat = readCount(values.repeat, "repeat", 1, 1_000_000, 1);
    const seed = readCount(values.seed, "seed", 0, 2 ** 32 - 1, 0);
    const saves = readSaves(values.save ?? []);
    const parsed = texts.map(readArgument);

    using context = Context.create(device);
    using queue = new CommandQueue(context, { profiling: true, device: context.devices[0] as Device });
    const kernel = await buildKernel(context, file, name, build);
    const group = local ?? requiredLocal(kernel, queue.device, global);
    const args = await bind(kernel, parsed, queue, seed);
    for (const [result, path] of saves) {
      checkResult(result, args, name);
      checkWritable(path, `--save ${result}`);
    }
    await queue.finish();
    const sizes: LaunchSizes = { global, ...(group ? { local: group } : {}), ...(offset ? { offset } : {}) };
    const timing = await withOptionNames(async () => timeLaunches(kernel, queue, sizes, args.values, repeat));
    await queue.finish();
    const results = await readResults(args);
    await show(name, timing, results, { print, json, io });
    for (const [result, path] of saves) {
      const array = results.get(result);
      if (array === undefined) continue;
      await array.xp.save(path, array);
      io.err.write(`Wrote ${result} to ${path}: ${array.dtype.name}[${array.shape.join(",")}]\n`);
    }
    return 0;
  },
});

/** Creates the arguments. Loads `@cl/array` only now, so that earlier errors are fast. */
async function bind(
  kernel: Kernel,
  parsed: readonly ArgumentText[],
  queue: CommandQueue,
  seed: number,
): Promise<BoundArguments> {
  const { bindArguments, checkArguments } = await import("./bind-arguments.js");
  const { MemoryMaker } = await import("./memory.js");
  const parameters = parametersOf(kernel);
  checkArguments(parsed, kernel.name, parameters);
  return bindArguments(parsed, parameters, new MemoryMaker(queue, seed), queue);
}

async function readResults({ results }: BoundArguments): Promise<ReadonlyMap<string, DeviceArray>> {
  const arrays = new Map<string, DeviceArray>();
  for (const [name, read] of results) arrays.set(name, await read());
  return arrays;
}

async function buildKernel(context: Context, file: string, name: string, options: string): Promise<Kernel> {
  const loaded = await readSource(file);
  if (loaded === undefined) throw new Error(`the file ${file} does not exist`);
  const source = loaded.text;
  const program = new Program(context, source, { label: basename(file) });
  // Like C compilers, search quoted includes in the file's folder.
  const include = /#\s*include\s*"/u.test(source) ? `-I ${JSON.stringify(resolve(dirname(file)))} ` : "";
  // Programs loaded from binaries may lack argument information.
  await program.build({ cache: false, options: include + options });
  return program.kernel(name);
}

function checkResult(name: string, { results }: BoundArguments, kernel: string): void {
  if (results.has(name)) return;
  const names = [...results.keys()];
  const available = names.length === 0 ? "no argument is out: or inout:" : `the results are ${names.join(", ")}`;
  throw new UsageError(`--save: "${name}" is not a result of ${kernel}; ${available}.`);
}

async function show(
  name: string,
  timing: Timing,
  results: ReadonlyMap<string, DeviceArray>,
  { print, json, io }: { readonly print: boolean; readonly json: boolean; readonly io: CommandIo },
): Promise<void> {
  if (json) {
    const arrays: Record<string, unknown> = {};
    for (const [result, array] of print ? results : []) {
      arrays[result] = {
        dtype: array.dtype.name,
        shape: array.shape,
        data: await valuesOf(array),
      };
    }
    io.out.write(`${JSON.stringify({ kernel: name, nanoseconds: timing, results: arrays }, null, 2)}\n`);
    return;
  }
  io.out.write(timingTable(name, timing, io.out));
  for (const [result, array] of print ? results : []) {
    io.out.write(`\n${result}: ${array.dtype.name}[${array.shape.join(",")}]\n${await array.format()}\n`);
  }
}

/** Returns the elements in C order. 64-bit integers, infinities and NaN become strings, since JSON has no such numbers. */
async function valuesOf(array: DeviceArray): Promise<unknown[]> {
  const { dtype, size, itemSize } = array;
  const { buffer, byteOffset } = await array.data();
  const view = new DataView(buffer, byteOffset);
  return Array.from({ length: size }, (_, i) => {
    const value: unknown = dtype.get(view, i * itemSize);
    return typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value)) ? String(value) : value;
  });
}
