/** Makes the memory that arguments name, after it was checked against what the kernel declares. */
import { arrays, type Arrays, type DeviceArray, type DTypeName } from "@cl/array";
import { type CommandQueue, type DType, dtype } from "@cl/core";

import { UsageError } from "../../command.js";
import { type Content, type TypeText, typeWords } from "./argument-text.js";
import { type Element, elementOf, type Parameter } from "./parameters.js";

/** Makes arrays on a queue, the same random numbers each time. */
export class MemoryMaker {
  readonly xp: Arrays;
  readonly #random: ReturnType<Arrays["random"]>;

  constructor(queue: CommandQueue, seed: number) {
    this.xp = arrays(queue);
    this.#random = this.xp.random(seed);
  }

  /** The array for a parameter. */
  async make(content: Content, parameter: Parameter): Promise<DeviceArray> {
    if (content.from === "file") {
      const array = await this.#load(content.path);
      const mistake = mistakeOf(array.dtype, array.size, parameter, content.path);
      if (mistake !== undefined) throw new Error(mistake);
      if (array.size === 0) throw new Error(`${parameter.words}: ${content.path} has no elements`);
      // Kernels count elements from the last axis, whatever the order of the file.
      return array.isContiguous ? array : array.copy();
    }
    const { type, shape } = typeFor(content.type, parameter);
    const words = `${content.from === "zeros" ? "" : `${content.from}:`}${typeWords(content.type)}`;
    const mistake = mistakeOf(type, sizeOf(shape), parameter, words);
    if (mistake !== undefined) throw new UsageError(`${mistake}.`);
    return content.from === "zeros"
      ? this.xp.zeros(shape, { dtype: type.name as DTypeName })
      : content.from === "range"
        ? this.#range(shape, type)
        : this.#draw(shape, type);
  }

  async #load(path: string): Promise<DeviceArray> {
    try {
      return await this.xp.load(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") throw new Error(`there is no file ${path}`, { cause: error });
      // What the library says of records is a hint for programs.
      if (code !== "ERR_BAD_FILE" || !(await this.#hasRecords(path))) throw error;
      throw new Error(`${path} has records, which a command line cannot give: launch this kernel from a program`, {
        cause: error,
      });
    }
  }

  async #hasRecords(path: string): Promise<boolean> {
    try {
      using records = await this.xp.loadRecords(path);
      return records.size >= 0;
    } catch {
      return false;
    }
  }

  #range(shape: readonly number[], type: DType): DeviceArray {
    const line = this.xp.arange(sizeOf(shape), { dtype: type.name as DTypeName });
    return line.reshape(shape);
  }

  /** Floating-point numbers from 0 up to 1, integers from 0 to 99: so that one sees what becomes of them. */
  #draw(shape: readonly number[], type: DType): DeviceArray {
    if (type.kind === "float") return this.#random.uniform(shape, { dtype: type.name as "float32" });
    if (type.kind === "int" || type.kind === "uint") {
      return this.#random.integers(shape, { high: 100, dtype: type.name as "int32" });
    }
    if (type.kind === "complex") {
      const parts = this.#random.uniform([...shape, 2], { dtype: type.base.name as "float32" });
      return parts.viewAs(type.name as "complex64").reshape(shape);
    }
    throw new UsageError(`rand: has no numbers of ${type.name}.`);
  }
}

/** The element type and extents of a type's text. Vectors are a last axis, of 4 for those of 3, which take that room. */
export function typeFor(
  { element, extents }: TypeText,
  parameter: Parameter,
): { type: DType; shape: readonly number[] } {
  const found = element === undefined ? parameter.element : named(element);
  if (found === undefined) {
    throw new UsageError(
      `${parameter.words} is of a type that has no name here: say what its memory holds, as uint8[${extents.join(",")}].`,
    );
  }
  const { scalar, width } = found;
  return { type: scalar, shape: width === 1 ? extents : [...extents, roomOf(width)] };
}

/** NumPy's names, and those of C that are not NumPy's as well. */
function named(element: string): Element {
  let type: DType;
  try {
    type = dtype(element);
  } catch (error) {
    const there = "there are float32, int32, uint8, complex64, float4 and so on";
    throw new UsageError(`"${element}" is no element type: ${there}.`, { cause: error });
  }
  return type.kind === "vector" ? { scalar: type.base, width: type.width } : { scalar: type, width: 1 };
}

/** What is wrong where memory of these elements is not what a pointer points to. */
function mistakeOf(type: DType, size: number, { element, words }: Parameter, what: string): string | undefined {
  if (element === undefined) return undefined;
  const { scalar, width } = element;
  const given = type.kind === "bool" ? (elementOf("uchar") as Element).scalar : type.base;
  if (given !== scalar) return `${words} takes ${scalar.name}, but ${what} has ${type.name}`;
  const scalars = size * (type.kind === "complex" ? 2 : 1);
  if (scalars % roomOf(width) === 0) return undefined;
  return `${words} takes ${roomOf(width)} ${scalar.name} for each element, but ${what} has ${scalars}`;
}

function roomOf(width: number): number {
  return width === 3 ? 4 : width;
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, extent) => product * extent, 1);
}
