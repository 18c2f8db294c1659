/** Fields: a value of each cell of a grid, in the memory of each rank. */
import { checkFunction, checkInteger, checkOptions, illegalConstructor, typeError, wrongValue, sizeOf } from "@cl/base";
import { type CommandQueue, type Context, DeviceBuffer, DeviceView, HostView } from "@cl/core";

import type { GridPart } from "./grid-part.js";
import type { HostArray } from "./native.js";

/** Arrays of a field's values. */
export type FieldArray<T extends FieldType = FieldType> = InstanceType<T>;

/** Types of a field's values. */
export type FieldType =
  | Int8ArrayConstructor
  | Uint8ArrayConstructor
  | Int16ArrayConstructor
  | Uint16ArrayConstructor
  | Int32ArrayConstructor
  | Uint32ArrayConstructor
  | BigInt64ArrayConstructor
  | BigUint64ArrayConstructor
  | Float32ArrayConstructor
  | Float64ArrayConstructor;

/** Options of a field. */
export interface FieldOptions {
  /**
   * Values of a cell, next to each other in memory: 3 for a vector with three components.
   * @defaultValue 1
   */
  readonly components?: number;
}

/** Tells the constructor that this package calls it. */
const internal: unique symbol = Symbol("internal");

/** A value of each cell of a grid. */
export class Field<T extends HostArray = HostArray> {
  readonly grid: GridPart;
  /** The cells of this rank without ghosts, as a view of the memory. */
  readonly cells: DeviceView;
  /** The memory of this rank: its cells and ghosts, as {@link Grid.memoryShape} says. */
  readonly memory: DeviceBuffer;
  /** Values of a cell. */
  readonly components: number;
  /** Bytes of a cell. */
  readonly cellBytes: number;
  readonly #type: new (length: number) => T;

  /** @internal */
  constructor(
    token: typeof internal,
    grid: GridPart,
    memory: DeviceBuffer,
    type: (new (length: number) => T) & { readonly BYTES_PER_ELEMENT: number },
    components: number,
  ) {
    if (token !== internal) throw illegalConstructor("Field cannot be constructed directly; use grid.field()");
    this.grid = grid;
    this.memory = memory;
    this.components = components;
    this.cellBytes = type.BYTES_PER_ELEMENT * components;
    this.#type = type;
    const whole = new DeviceView(memory, { shape: [...grid.memoryShape, components], dtype: type as never });
    const ranges = grid.cells.map((count, axis) => `${grid.ghosts[axis]}:${(grid.ghosts[axis] as number) + count}`);
    this.cells = whole.slice(...ranges, ":");
  }

  /** Creates an array for the values of `cells` cells. */
  arrayFor(cells: number): T {
    return new this.#type(cells * this.components);
  }

  /**
   * Sets each cell of this rank to what a function returns for its place in the whole grid: a number, or a list of numbers for
   * several components. Ghosts keep their values.
   */
  async fill(
    queue: CommandQueue,
    valueAt: (...place: number[]) => number | bigint | readonly (number | bigint)[],
  ): Promise<void> {
    checkFunction(valueAt, "valueAt");
    const { start, cells } = this.grid;
    const count = sizeOf(cells);
    const values = this.arrayFor(count) as unknown as (number | bigint)[];
    const place = [...start];
    for (let cell = 0; cell < count; cell++) {
      const value = valueAt(...place);
      const list = typeof value === "object" ? value : [value];
      if (list.length !== this.components) {
        throw wrongValue(`valueAt must return ${this.components} values, received ${list.length}`);
      }
      for (const [i, one] of list.entries()) values[cell * this.components + i] = one;
      for (let axis = place.length - 1; axis >= 0; axis--) {
        place[axis] = (place[axis] as number) + 1;
        if ((place[axis] as number) < (start[axis] as number) + (cells[axis] as number)) break;
        place[axis] = start[axis] as number;
      }
    }
    await this.write(queue, values as unknown as T);
  }

  /** Reads the cells of this rank, without ghosts. */
  async read(queue: CommandQueue): Promise<T> {
    return (await this.cells.read(queue)) as unknown as T;
  }

  /** Writes the cells of this rank, without ghosts. */
  async write(queue: CommandQueue, values: T): Promise<void> {
    const count = sizeOf(this.grid.cells) * this.components;
    if (!(values instanceof this.#type) || values.length !== count) {
      throw typeError("values", `a ${this.#type.name} with ${count} elements`, values);
    }
    await this.cells.write(queue, new HostView(values, { shape: this.cells.shape }));
  }

  /** Releases the memory. */
  release(): void {
    this.memory.release();
  }

  /** The same as {@link release}, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }
}

/** @internal Creates a field. */
export function newField<T extends FieldType>(
  grid: GridPart,
  context: Context,
  type: T,
  options: FieldOptions | undefined,
): Field<FieldArray<T>> {
  const { components } = checkOptions(options, ["components"]);
  const count = checkInteger(components ?? 1, "options.components", 1, 16);
  if (typeof type !== "function" || !(type.prototype instanceof Object.getPrototypeOf(Int8Array))) {
    throw typeError("type", "the class of a typed array, such as Float32Array", type);
  }
  const elements = sizeOf(grid.memoryShape) * count;
  const memory = DeviceBuffer.from(context, new type(elements) as never);
  return new Field<FieldArray<T>>(internal, grid, memory, type as never, count);
}
