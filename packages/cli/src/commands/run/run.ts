/** `clkit run`: builds a file, launches one of its kernels, and shows what came of it. */
import { basename, dirname, resolve } from "node:path";

import type { DeviceArray } from "@cl/array";
import { CommandQueue, Context, type Device, type Kernel, type LaunchSizes, Program } from "@cl/core";

import { checkPlace } from "../../check-place.js";
import { type Command, defineCommand, UsageError } from "../../command.js";
import type { CommandIo } from "../../io.js";
import { readSource } from "../../read-source.js";
import { type ArgumentText, readArgument } from "./argument-text.js";
import type { BoundArguments } from "./bind-arguments.js";
import { parametersOf } from "./parameters.js";
import { checkDimensions, readCount, readExtents, readSaves, requiredLocal, withOptionNames } from "./sizes.js";
import { timeLaunches, type Timing, timingTable } from "./timing.js";

/** Runs a kernel of a file. */
export const run: Command = defineCommand({
  name: "run",
  summary: "builds a .cl file and launches a kernel with arguments from the command line",
  usage: "[options] FILE KERNEL [ARGUMENT…]",
  options: {
    global: { type: "string", short: "g", value: "N[,N[,N]]", help: "work-items in each dimension; always needed" },
    local: {
      type: "string",
      short: "l",
      value: "N[,N[,N]]",
      help: "work-items of a group; defaults to what the kernel requires, or the driver's choice",
    },
    offset: { type: "string", value: "N[,N[,N]]", help: "the first global id" },
    build: {
      type: "string",
      short: "b",
      value: "OPTIONS",
      help: 'options for the compiler, as "-D N=4 -cl-mad-enable"',
    },
    device: {
      type: "string",
      short: "d",
      value: "DEVICE",
      help: "gpu, cpu, a name or PLATFORM:DEVICE, as of CL_DEVICE",
    },
    repeat: {
      type: "string",
      short: "r",
      value: "N",
      help: "launches so many times: first, min, median, mean and max",
    },
    print: { type: "boolean", short: "p", help: "prints the results" },
    save: { type: "string", short: "s", multiple: true, value: "NAME=FILE.npy", help: "writes a result into a file" },
    seed: { type: "string", value: "N", help: "of the random numbers; 0 if not said" },
    json: { type: "boolean", help: "writes the times, in nanoseconds, and the results as JSON" },
  },
  maxPositionals: Number.POSITIVE_INFINITY,
  notes: [
    "An ARGUMENT for each of the kernel's parameters, in their order:",
    "  3  -2.5f  0x1f  inf      a number                     1,2,3,4              a vector",
    "  data.npy                 the elements of a file       out:float32[1024]    zeros, which are a result",
    "  zeros:TYPE  rand:TYPE    such elements                inout:data.npy       elements that are a result;",
    "  range:TYPE               0, 1, 2 …                                         zeros:, rand: and range: as well",
    "  local:1024               local memory, in bytes       null                 no memory",
    "  sampler:linear,repeat    a sampler                    norm:data.npy        pixels that kernels read as fractions",
    "A TYPE is float32[1024], uint8[480,640], float4[16], or [1024] of what the kernel declares.",
    "",
    "  clkit run axpy.cl axpy --global 1024 --print 2 rand:[1024] inout:range:[1024] 1024",
  ],
  async run(values, [file, name, ...texts], io) {
    const { build = "", device, print = false, json = false } = values;
    if (file === undefined || name === undefined) {
      throw new UsageError("It needs a file and a kernel: clkit run axpy.cl axpy --global 1024 ….");
    }
    const global = readExtents(values.global, "global", 1);
    if (global === undefined) throw new UsageError("--global needs to say how many work-items there are.");
    const local = readExtents(values.local, "local", 1);
    const offset = readExtents(values.offset, "offset", 0);
    checkDimensions(global, local, "local");
    checkDimensions(global, offset, "offset");
    const repeat = readCount(values.repeat, "repeat", 1, 1_000_000, 1);
    const seed = readCount(values.seed, "seed", 0, 2 ** 32 - 1, 0);
    const saves = readSaves(values.save ?? []);
    const read = texts.map(readArgument);

    using context = Context.create(device);
    using queue = new CommandQueue(context, { profiling: true, device: context.devices[0] as Device });
    const kernel = await buildKernel(context, file, name, build);
    const group = local ?? requiredLocal(kernel, queue.device, global);
    const bound = await bind(kernel, read, queue, seed);
    for (const [result, path] of saves) {
      checkResult(result, bound, name);
      checkPlace(path, `--save ${result}`);
    }
    await queue.finish();
    const sizes: LaunchSizes = { global, ...(group ? { local: group } : {}), ...(offset ? { offset } : {}) };
    const timing = await withOptionNames(async () => timeLaunches(kernel, queue, sizes, bound.values, repeat));
    await queue.finish();
    const results = await readResults(bound);
    await show(name, timing, results, { print, json, io });
    for (const [result, path] of saves) {
      const array = results.get(result);
      if (array === undefined) continue;
      await array.xp.save(path, array);
      io.err.write(`${path} has ${result}, ${array.dtype.name}[${array.shape.join(",")}]\n`);
    }
    return 0;
  },
});

/** The arguments are not needed where the kernel is not there, and with them the arrays. */
async function bind(
  kernel: Kernel,
  read: readonly ArgumentText[],
  queue: CommandQueue,
  seed: number,
): Promise<BoundArguments> {
  const { bindArguments, checkArguments } = await import("./bind-arguments.js");
  const { MemoryMaker } = await import("./memory.js");
  const parameters = parametersOf(kernel);
  checkArguments(read, kernel.name, parameters);
  return bindArguments(read, parameters, new MemoryMaker(queue, seed), queue);
}

async function readResults({ results }: BoundArguments): Promise<ReadonlyMap<string, DeviceArray>> {
  const arrays = new Map<string, DeviceArray>();
  for (const [name, read] of results) arrays.set(name, await read());
  return arrays;
}

async function buildKernel(context: Context, file: string, name: string, options: string): Promise<Kernel> {
  const found = await readSource(file);
  if (found === undefined) throw new Error(`there is no file ${file}`);
  const source = found.text;
  const program = new Program(context, source, { label: basename(file) });
  // As for compilers of C, a folder's files are beside each other.
  const beside = /#\s*include\s*"/u.test(source) ? `-I ${JSON.stringify(resolve(dirname(file)))} ` : "";
  // Programs from binaries know less of their kernels' arguments.
  await program.build({ cache: false, options: beside + options });
  return program.kernel(name);
}

function checkResult(name: string, { results }: BoundArguments, kernel: string): void {
  if (results.has(name)) return;
  const names = [...results.keys()];
  const there = names.length === 0 ? "no argument is out: or inout:" : `the results are ${names.join(", ")}`;
  throw new UsageError(`--save names "${name}", which is no result of ${kernel}: ${there}.`);
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

/** The elements in C order. JSON has no integers of 64 bits, no infinities and no NaN: these are strings there. */
async function valuesOf(array: DeviceArray): Promise<unknown[]> {
  const { dtype, size, itemSize } = array;
  const { buffer, byteOffset } = await array.data();
  const view = new DataView(buffer, byteOffset);
  return Array.from({ length: size }, (_, i) => {
    const value: unknown = dtype.get(view, i * itemSize);
    return typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value)) ? String(value) : value;
  });
}
