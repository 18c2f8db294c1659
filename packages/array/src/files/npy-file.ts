/** Files larger than memory: read in parts, and written row by row. */
import { type FileHandle, open } from "node:fs/promises";

import {
  checkInstance,
  checkInteger,
  checkOptions,
  checkSignal,
  contiguousLayout,
  type Layout,
  outOfRange,
  sizeOf,
  sliceLayout,
  wrongState,
  wrongType,
} from "@cl/base";
import { DisposedError, DType, type SliceIndex } from "@cl/core";
import { RecordArray } from "../array/record-array.js";
import { AtomicFile } from "@cl/base/files";
import { FileBytes } from "./byte-stream.js";
import { headerOf, type NpyHeader, readHeader } from "./npy-header.js";
import { asStored, bytesOf, checkStored, emptyOf, fillFrom, type Stored } from "./transfer.js";
import type { ArraySource, ReadOptions } from "../storage/array-ref.js";

/** An open .npy file; `Arrays.openNpy` opens it. */
export class NpyFile {
  /** The factory of the arrays that are read. */
  readonly xp: ArraySource;
  /** The path of the file. */
  readonly path: string;
  readonly #handle: FileHandle;
  readonly #header: NpyHeader;

  private constructor(xp: ArraySource, path: string, handle: FileHandle, header: NpyHeader) {
    this.xp = xp;
    this.path = path;
    this.#handle = handle;
    this.#header = header;
  }

  /** @internal */
  static async open(xp: ArraySource, path: string, signal: AbortSignal | undefined): Promise<NpyFile> {
    checkSignal(signal);
    signal?.throwIfAborted();
    const handle = await open(path);
    try {
      const { size } = await handle.stat();
      return new NpyFile(xp, path, handle, await readHeader(new FileBytes(handle, path), size, path));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The extent of each axis. */
  get shape(): readonly number[] {
    return this.#header.shape;
  }

  /** The element type, or a struct type. */
  get dtype(): DType {
    return this.#header.type;
  }

  /** The axis along which parts are contiguous: the first, or the last for files in F order. */
  get axis(): number {
    return this.#header.fortranOrder ? Math.max(0, this.shape.length - 1) : 0;
  }

  /**
   * Reads a part of the elements as an array; the indices are those of `DeviceArray.slice`. Everything between the
   * part's first and last element is read, so parts along {@link axis} are the most efficient.
   */
  async read(...indices: readonly SliceIndex[]): Promise<Stored> {
    return this.#read(sliceLayout(this.#layout(), indices), undefined);
  }

  /**
   * Reads all elements in order, `length` parts along {@link axis} at a time; the last array may have fewer.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const path = new URL("rows.npy", folder);
   * await xp.save(path, xp.arange(10).reshape([5, 2]));
   * await using file = await xp.openNpy(path);
   * const rows: number[] = [];
   * for await (const part of file.chunks(2)) rows.push(part.shape[0] ?? 0);
   * console.log(rows); // [ 2, 2, 1 ]
   * ```
   */
  async *chunks(length: number, options?: ReadOptions): AsyncGenerator<Stored> {
    checkInteger(length, "length", 1);
    const signal = checkSignal(checkOptions(options, ["signal"]).signal);
    const { axis } = this;
    if (this.shape.length === 0) throw outOfRange(`"${this.path}" must have at least one axis to be read in chunks`);
    const before = Array.from({ length: axis }, () => ":");
    for (let at = 0; at < (this.shape[axis] as number); at += length) {
      yield await this.#read(sliceLayout(this.#layout(), [...before, [at, at + length]]), signal);
    }
  }

  /** Closes the file. */
  async close(): Promise<void> {
    await this.#handle.close();
  }

  /** Alias of {@link close}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #layout(): Layout {
    const { shape, type, fortranOrder } = this.#header;
    return contiguousLayout(shape, type.itemSize, fortranOrder ? "F" : "C");
  }

  /** Elements from the first to the last, and a view of those that are wanted. */
  async #read({ shape, strides, offset }: Layout, signal: AbortSignal | undefined): Promise<Stored> {
    signal?.throwIfAborted();
    const { type, start } = this.#header;
    const { itemSize } = type;
    if (sizeOf(shape) === 0) return emptyOf(this.xp, type, shape);
    const spans = shape.map((extent, axis) => (extent - 1) * (strides[axis] as number));
    const first = offset + spans.reduce((sum, span) => sum + Math.min(span, 0), 0);
    const last = offset + spans.reduce((sum, span) => sum + Math.max(span, 0), 0);
    const target = emptyOf(this.xp, type, [(last - first) / itemSize + 1]);
    await fillFrom(target, new FileBytes(this.#handle, this.path, start + first), this.#header, signal);
    using whole = target;
    return viewOf(whole, { shape, strides, offset: offset - first });
  }
}

/** Elements of new memory; a copy of them if there are others between. */
function viewOf(whole: Stored, layout: Layout): Stored {
  const { size } = whole;
  let view: Stored;
  if (whole instanceof RecordArray) {
    const { units } = whole;
    const [count, width] = [units.shape[1] as number, units.strides[1] as number];
    const { shape, strides, offset } = layout;
    const inner = { shape: [...shape, count], strides: [...strides, width], offset };
    view = new RecordArray(units.view(units.dtype, inner), whole.dtype);
  } else view = whole.view(whole.dtype, layout);
  if (view.size === size) return view;
  using part = view;
  return part.copy();
}

/** A .npy file that is being written; `Arrays.createNpy` creates it. The file appears only when it is closed. */
export class NpyWriter {
  /** The path of the file. */
  readonly path: string;
  /** The shape of a row. */
  readonly rowShape: readonly number[];
  /** The element type. */
  readonly dtype: DType;
  readonly #xp: ArraySource;
  readonly #file: AtomicFile;
  /** The length of the header, which has room for every number of rows. */
  readonly #room: number;
  #rows = 0;
  #last: Promise<void> = Promise.resolve();
  #open = true;

  private constructor(
    xp: ArraySource,
    path: string,
    file: AtomicFile,
    dtype: DType,
    rowShape: readonly number[],
    room: number,
  ) {
    this.#xp = xp;
    this.path = path;
    this.#file = file;
    this.dtype = dtype;
    this.rowShape = rowShape;
    this.#room = room;
  }

  /** @internal */
  static async create(xp: ArraySource, path: string, dtype: DType, rowShape: readonly number[]): Promise<NpyWriter> {
    checkInstance(dtype, DType, "dtype");
    const header = headerOf(dtype, [Number.MAX_SAFE_INTEGER, ...rowShape]);
    const file = await AtomicFile.create(path);
    try {
      await file.append(header);
    } catch (error) {
      await file.discard();
      throw error;
    }
    return new NpyWriter(xp, path, file, dtype, rowShape, header.length);
  }

  /** The number of rows appended. */
  get rows(): number {
    return this.#rows;
  }

  /**
   * Appends rows, or one row, with their current values. Resolves when they are written, after which the array may be
   * changed.
   */
  async append(array: Stored, options?: ReadOptions): Promise<void> {
    checkStored(array, this.#xp, "array");
    const signal = checkSignal(checkOptions(options, ["signal"]).signal);
    if (!this.#open) throw wrongState(`"${this.path}" is closed`);
    const { rowShape } = this;
    const rows = array.ndim === rowShape.length ? 1 : (array.shape[0] ?? 0);
    const own = array.ndim === rowShape.length ? array.shape : array.shape.slice(1);
    if (array.ndim > rowShape.length + 1 || String(own) !== String(rowShape)) {
      throw outOfRange(
        `array must be a row or rows of the shape [${rowShape.join()}], received shape [${array.shape.join()}]`,
      );
    }
    if (!array.dtype.equals(this.dtype)) {
      throw wrongType(`array must be ${this.dtype.name}, as the file is, received ${array.dtype.name}`);
    }
    // What is wrong now must not end the file; what fails later does, since others may wait behind it.
    signal?.throwIfAborted();
    if (array.released) throw new DisposedError(String(array));
    this.#rows += rows;
    const elements = bytesOf(asStored(array), signal);
    const before = this.#last;
    this.#last = (async () => {
      const [bytes] = await Promise.all([elements, before]);
      await this.#file.append(bytes);
    })();
    await this.#last;
  }

  /** Completes the file with all rows and closes it. Rejects if an append failed. */
  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    try {
      await this.#last;
      await this.#file.writeAt(headerOf(this.dtype, [this.#rows, ...this.rowShape], this.#room), 0);
    } catch (error) {
      await this.#file.discard();
      throw error;
    }
    await this.#file.commit();
  }

  /** Discards the file. */
  async discard(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.#last.catch(() => {});
    await this.#file.discard();
  }

  /** Discards the file unless {@link close} was called; for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.discard();
  }
}
