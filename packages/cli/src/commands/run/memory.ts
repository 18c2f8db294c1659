/** Creates the memory of arguments, after checking it against the kernel's declaration. */
import { arrays, type Arrays, type DeviceArray, type DTypeName } from "@cl/array";
import { type CommandQueue, type DType, dtype } from "@cl/core";

import { UsageError } from "../../command.js";
import { type Content, type TypeText, formatType } from "./argument-text.js";
import { type Element, elementOf, type Parameter } from "./parameters.js";

/** Creates arrays on a queue. Random numbers are reproducible from the seed. */
export class MemoryMaker {
  readonly xp: Arrays;
  readonly #random: ReturnType<Arrays["random"]>;

  constructor(queue: CommandQueue, seed: number) {
    this.xp = arrays(queue);
    this.#random = this.xp.random(seed);
  }

  async make(content: Content, parameter: Parameter): Promise<DeviceArray> {
    if (content.from === "file") {
      const array = await this.#load(content.path);
      const mismatch = mismatchOf(array.dtype, array.size, parameter, content.path);
      if (mismatch !== undefined) throw new Error(mismatch);
      if (array.size === 0) {
        throw new Error(`${parameter.label} must have at least one element, but ${content.path} is empty`);
      }
      // Kernels expect C order, which the file may not have.
      return array.isContiguous ? array : array.copy();
    }
    const { type, shape } = typeFor(content.type, parameter);
    const text = `${content.from === "zeros" ? "" : `${content.from}:`}${formatType(content.type)}`;
    const mismatch = mismatchOf(type, sizeOf(shape), parameter, text);
    if (mismatch !== undefined) throw new UsageError(`${mismatch}.`);
    return content.from === "zeros"
      ? this.xp.zeros(shape, { dtype: type.name as DTypeName })
      : content.from === "range"
        ? this.#range(shape, type)
        : this.#sample(shape, type);
  }

  async #load(path: string): Promise<DeviceArray> {
    try {
      return await this.xp.load(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") throw new Error(`the file ${path} does not exist`, { cause: error });
      // The library's hint about records applies to programs only.
      if (code !== "ERR_BAD_FILE" || !(await this.#hasRecords(path))) throw error;
      throw new Error(
        `${path} has records, which are not supported on the command line; launch this kernel from a program`,
        {
          cause: error,
        },
      );
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

  /** Draws floating-point numbers in [0, 1), or integers from 0 to 99, which are easy to read in the output. */
  #sample(shape: readonly number[], type: DType): DeviceArray {
    if (type.kind === "float") return this.#random.uniform(shape, { dtype: type.name as "float32" });
    if (type.kind === "int" || type.kind === "uint") {
      return this.#random.integers(shape, { high: 100, dtype: type.name as "int32" });
    }
    if (type.kind === "complex") {
      const parts = this.#random.uniform([...shape, 2], { dtype: type.base.name as "float32" });
      return parts.viewAs(type.name as "complex64").reshape(shape);
    }
    throw new UsageError(`rand: does not support ${type.name}.`);
  }
}

/** Returns the dtype and shape of a type. Vectors become a last axis; that of 3-vectors has 4 elements, as in memory. */
export function typeFor(
  { element, shape: extents }: TypeText,
  parameter: Parameter,
): { type: DType; shape: readonly number[] } {
  const resolved = element === undefined ? parameter.element : parseElement(element);
  if (resolved === undefined) {
    throw new UsageError(
      `${parameter.label} has a type without a name here; give the element type, such as uint8[${extents.join(",")}].`,
    );
  }
  const { scalar, width } = resolved;
  return { type: scalar, shape: width === 1 ? extents : [...extents, paddedWidth(width)] };
}

/** Parses an element type: NumPy's names, and those of OpenCL C that do not conflict with them. */
function parseElement(element: string): Element {
  let type: DType;
  try {
    type = dtype(element);
  } catch (error) {
    throw new UsageError(
      `"${element}" is not an element type; use float32, int32, uint8, complex64, float4 and so on.`,
      {
        cause: error,
      },
    );
  }
  return type.kind === "vector" ? { scalar: type.base, width: type.width } : { scalar: type, width: 1 };
}

/** Returns an error message if elements do not match the parameter's element type. */
function mismatchOf(type: DType, size: number, { element, label }: Parameter, source: string): string | undefined {
  if (element === undefined) return undefined;
  const { scalar, width } = element;
  const actual = type.kind === "bool" ? (elementOf("uchar") as Element).scalar : type.base;
  if (actual !== scalar) return `${label} must have elements of ${scalar.name}, but ${source} has ${type.name}`;
  const scalars = size * (type.kind === "complex" ? 2 : 1);
  if (scalars % paddedWidth(width) === 0) return undefined;
  return `${label} must have ${paddedWidth(width)} ${scalar.name} per element, but ${source} has ${scalars} in total`;
}

function paddedWidth(width: number): number {
  return width === 3 ? 4 : width;
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, extent) => product * extent, 1);
}
