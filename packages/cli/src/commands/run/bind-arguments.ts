/** Turns parsed arguments of the command line into the arguments of a launch. */
import type { DeviceArray } from "@cl/array";
import { type CommandQueue, type DType, LocalMemory, Sampler } from "@cl/core";

import { UsageError } from "../../command.js";
import type { ArgumentText, NumberText } from "./argument-text.js";
import { makeImage } from "./image.js";
import { type MemoryMaker, typeFor } from "./memory.js";
import type { Parameter } from "./parameters.js";

/** Arguments of a launch, and which of them are results. */
export interface BoundArguments {
  readonly values: readonly unknown[];
  /** By parameter name. */
  readonly results: ReadonlyMap<string, Result>;
}

/** Reads the contents after the launches. */
export type Result = () => Promise<DeviceArray>;

/** Checks the number and kinds of the arguments before anything is allocated. */
export function checkArguments(
  parsed: readonly ArgumentText[],
  kernel: string,
  parameters: readonly Parameter[],
): void {
  if (parsed.length !== parameters.length) {
    const list = parameters.map(({ label }) => label).join(", ");
    const takes = `${kernel} takes ${parameters.length} argument${parameters.length === 1 ? "" : "s"}`;
    throw new UsageError(`${takes}${list === "" ? "" : ` (${list})`}, received ${parsed.length}.`);
  }
  for (const [i, argument] of parsed.entries()) checkKind(argument, parameters[i] as Parameter);
}

/** Creates the values of the arguments. */
export async function bindArguments(
  parsed: readonly ArgumentText[],
  parameters: readonly Parameter[],
  maker: MemoryMaker,
  queue: CommandQueue,
): Promise<BoundArguments> {
  const values: unknown[] = [];
  const results = new Map<string, Result>();
  for (const [i, argument] of parsed.entries()) {
    const parameter = parameters[i] as Parameter;
    switch (argument.kind) {
      case "numbers":
        values.push(numbersFor(argument.numbers, parameter));
        break;
      case "memory": {
        const { content, result } = argument;
        const array = await maker.make(content, parameter);
        if (parameter.kind === "image") {
          const { image, read } = await makeImage(array, content.normalized === true, parameter, queue);
          values.push(image);
          if (result) results.set(parameter.name, read);
        } else {
          values.push(array);
          if (result) results.set(parameter.name, async () => Promise.resolve(array));
        }
        break;
      }
      case "sampler":
        values.push(new Sampler(queue.context, argument.sampler));
        break;
      case "local":
        values.push(localFor(argument.size, parameter));
        break;
      case "null":
        values.push(null);
        break;
      default:
        argument satisfies never;
    }
  }
  return { values, results };
}

const kindNames = {
  numbers: "a number",
  memory: "memory",
  local: "local memory",
  sampler: "a sampler",
  null: "null",
} as const;

function checkKind(argument: ArgumentText, { kind: expected, label }: Parameter): void {
  const { kind } = argument;
  switch (expected) {
    case "value":
      if (kind === "numbers") return;
      throw new UsageError(
        `${label} must be a number such as 3, or a vector such as 1,2,3,4, received ${kindNames[kind]}.`,
      );
    case "memory":
      if (argument.kind === "memory" && argument.content.normalized === true) {
        throw new UsageError(`${label}: norm: requires an image, but this parameter is a pointer.`);
      }
      if (kind === "memory" || kind === "null") return;
      throw new UsageError(
        `${label} must be memory, such as FILE.npy, out:float32[1024] or rand:[1024], received ${kindNames[kind]}.`,
      );
    case "local":
      if (kind === "local") return;
      throw new UsageError(`${label} must be local memory, such as local:1024, received ${kindNames[kind]}.`);
    case "image":
      if (kind === "memory") return;
      throw new UsageError(
        `${label} must be an image, such as FILE.npy, out:float32[480,640] or norm:rand:uint8[480,640,4], received ${kindNames[kind]}.`,
      );
    case "sampler":
      if (kind === "sampler") return;
      throw new UsageError(
        `${label} must be a sampler, such as sampler or sampler:linear,repeat, received ${kindNames[kind]}.`,
      );
    case "other":
      throw new Error(
        `${label} has a type that is not supported on the command line; launch this kernel from a program`,
      );
    default:
      expected satisfies never;
  }
}

/** Returns a number or vector of the parameter's type. 64-bit integers are bigints. */
function numbersFor(numbers: readonly NumberText[], { element, label }: Parameter): unknown {
  if (element === undefined) {
    throw new Error(
      `${label} is a struct, which is not supported on the command line; launch this kernel from a program`,
    );
  }
  const { scalar, width } = element;
  if (numbers.length !== width) {
    throw new UsageError(`${label} must have ${width} number${width === 1 ? "" : "s"}, received ${numbers.length}.`);
  }
  const values = numbers.map((number) =>
    scalar.kind === "float" ? floatFor(number, scalar, label) : integerFor(number, scalar, label),
  );
  return width === 1 ? values[0] : values;
}

function floatFor(number: NumberText, { itemSize }: DType, label: string): number {
  const value = Number(number);
  const max = { 2: 65504, 4: 3.4028234663852886e38 }[itemSize] ?? Number.MAX_VALUE;
  const isFinite = typeof number === "bigint" || Number.isFinite(number);
  if (!isFinite || Math.abs(value) <= max) return value;
  throw new UsageError(`${label} must be in [${-max}, ${max}] or infinite, received ${number}.`);
}

function integerFor(number: NumberText, { kind, itemSize }: DType, label: string): number | bigint {
  const bits = BigInt(8 * itemSize);
  const [min, max] = kind === "uint" ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
  const integer = Number.isSafeInteger(number) ? BigInt(number) : number;
  if (typeof integer === "bigint" && integer >= min && integer <= max) {
    return itemSize === 8 ? integer : Number(integer);
  }
  throw new UsageError(`${label} must be an integer in [${min}, ${max}], received ${number}.`);
}

function localFor(size: Extract<ArgumentText, { kind: "local" }>["size"], parameter: Parameter): LocalMemory {
  if (typeof size === "number") return new LocalMemory(size);
  const { type, shape } = typeFor(size, parameter);
  return new LocalMemory(shape.reduce((product, size) => product * size, type.itemSize));
}
