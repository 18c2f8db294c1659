/** From the words of a command line to the arguments of a launch. */
import type { DeviceArray } from "@cl/array";
import { type CommandQueue, type DType, LocalMemory, Sampler } from "@cl/core";

import { UsageError } from "../../command.js";
import type { ArgumentText, NumberText } from "./argument-text.js";
import { makeImage } from "./image.js";
import { type MemoryMaker, typeFor } from "./memory.js";
import type { Parameter } from "./parameters.js";

/** What a launch gets, and what of it is a result. */
export interface BoundArguments {
  readonly values: readonly unknown[];
  /** By the names of their parameters. */
  readonly results: ReadonlyMap<string, Result>;
}

/** Returns what the launches left, as an array. */
export type Result = () => Promise<DeviceArray>;

/** Checks how many there are and of what kind, so that nothing has to be made where they are wrong. */
export function checkArguments(read: readonly ArgumentText[], kernel: string, parameters: readonly Parameter[]): void {
  if (read.length !== parameters.length) {
    const list = parameters.map(({ words }) => words).join(", ");
    const takes = `${kernel} takes ${parameters.length} argument${parameters.length === 1 ? "" : "s"}`;
    throw new UsageError(`${takes}${list === "" ? "" : ` (${list})`}, received ${read.length}.`);
  }
  for (const [i, argument] of read.entries()) checkKind(argument, parameters[i] as Parameter);
}

/** Makes what the arguments name. */
export async function bindArguments(
  read: readonly ArgumentText[],
  parameters: readonly Parameter[],
  maker: MemoryMaker,
  queue: CommandQueue,
): Promise<BoundArguments> {
  const values: unknown[] = [];
  const results = new Map<string, Result>();
  for (const [i, argument] of read.entries()) {
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

const kindWords = {
  numbers: "a number",
  memory: "memory",
  local: "local memory",
  sampler: "a sampler",
  null: "null",
} as const;

function checkKind(argument: ArgumentText, { kind: wanted, words }: Parameter): void {
  const { kind } = argument;
  switch (wanted) {
    case "value":
      if (kind === "numbers") return;
      throw new UsageError(
        `${words} takes a number, as 3, or as many as a vector has, as 1,2,3,4, received ${kindWords[kind]}.`,
      );
    case "memory":
      if (argument.kind === "memory" && argument.content.normalized === true) {
        throw new UsageError(`${words}: norm: is for images, and this is a pointer.`);
      }
      if (kind === "memory" || kind === "null") return;
      throw new UsageError(
        `${words} takes memory, as FILE.npy, out:float32[1024] or rand:[1024], received ${kindWords[kind]}.`,
      );
    case "local":
      if (kind === "local") return;
      throw new UsageError(`${words} takes local memory, as local:1024, received ${kindWords[kind]}.`);
    case "image":
      if (kind === "memory") return;
      throw new UsageError(
        `${words}: expected an image, as FILE.npy, out:float32[480,640] or norm:rand:uint8[480,640,4], received ${kindWords[kind]}.`,
      );
    case "sampler":
      if (kind === "sampler") return;
      throw new UsageError(
        `${words}: expected sampler, or sampler: with settings as sampler:linear,repeat, received ${kindWords[kind]}.`,
      );
    case "other":
      throw new Error(`${words} is of a type that a command line cannot give: launch this kernel from a program`);
    default:
      wanted satisfies never;
  }
}

/** Integers of 64 bits are bigints for launches, and all others numbers. */
function numbersFor(numbers: readonly NumberText[], { element, words }: Parameter): unknown {
  if (element === undefined) {
    throw new Error(`${words} is a struct, which a command line cannot give: launch this kernel from a program`);
  }
  const { scalar, width } = element;
  if (numbers.length !== width) {
    throw new UsageError(`${words} takes ${width} number${width === 1 ? "" : "s"}, received ${numbers.length}.`);
  }
  const values = numbers.map((number) =>
    scalar.kind === "float" ? fractionFor(number, scalar, words) : integerFor(number, scalar, words),
  );
  return width === 1 ? values[0] : values;
}

function fractionFor(number: NumberText, { itemSize }: DType, words: string): number {
  const value = Number(number);
  const most = { 2: 65504, 4: 3.4028234663852886e38 }[itemSize] ?? Number.MAX_VALUE;
  const isFinite = typeof number === "bigint" || Number.isFinite(number);
  if (!isFinite || Math.abs(value) <= most) return value;
  throw new UsageError(`${words} takes inf and numbers from ${-most} to ${most}, received ${number}.`);
}

function integerFor(number: NumberText, { kind, itemSize }: DType, words: string): number | bigint {
  const bits = BigInt(8 * itemSize);
  const [least, most] = kind === "uint" ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
  const exact = Number.isSafeInteger(number) ? BigInt(number) : number;
  if (typeof exact === "bigint" && exact >= least && exact <= most) return itemSize === 8 ? exact : Number(exact);
  throw new UsageError(`${words} takes integers from ${least} to ${most}, received ${number}.`);
}

function localFor(size: Extract<ArgumentText, { kind: "local" }>["size"], parameter: Parameter): LocalMemory {
  if (typeof size === "number") return new LocalMemory(size);
  const { type, shape } = typeFor(size, parameter);
  return new LocalMemory(shape.reduce((product, extent) => product * extent, type.itemSize));
}
