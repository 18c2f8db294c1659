/** Mapped images. */
import { bytesOver, checkInteger, outOfRange, typeError } from "@cl/base";

import type { Handle } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import { checkTypedArray, type ElementType, elementTypeName, uninitializedArray } from "../dtype/host-array.js";
import type { QueueBase } from "../queue/queue-base.js";
import { MappedMemory } from "../mapping/mapped-memory.js";
import type { TypedArray } from "../typed/index.js";
import type { ChannelTypeName } from "./channel-layout.js";
import type { Image } from "./image.js";
import type { PixelBox } from "./image-box.js";
import type { PixelArray } from "./image-format.js";
import { arrayTypeOf, checkPixels } from "./pixel-array.js";

/**
 * A box of an image's pixels in host memory, until {@link MappedMemory.unmap}. There may be gaps between rows and
 * slices: see {@link rowPitch} and {@link slicePitch}. `row` returns one row; `toArray` and `set` copy all pixels
 * without the gaps.
 *
 * @example
 * ```ts
 * const image = Image.empty(context, new ImageFormat("R", "FLOAT"), [5, 3]);
 * await using mapped = await queue.map(image, { access: "write-invalidate" });
 * for (let y = 0; y < 3; y++) mapped.row(y).fill(y);
 * ```
 */
export class MappedImage<N extends ChannelTypeName = ChannelTypeName> extends MappedMemory {
  readonly #image: Image<N>;
  readonly #box: PixelBox;
  readonly #type: ElementType;
  readonly #rowPitch: number;
  readonly #slicePitch: number;

  /** @internal Wraps a completed map. */
  constructor(
    map: Handle,
    queue: QueueBase,
    image: Image<N>,
    box: PixelBox,
    [row, slice]: readonly [row: number, slice: number],
  ) {
    super(map, queue, image.label);
    this.#image = image;
    this.#box = box;
    this.#type = arrayTypeOf(image);
    this.#rowPitch = row;
    this.#slicePitch = slice || row * box.region[1];
  }

  /** The mapped image. */
  get image(): Image<N> {
    return this.#image;
  }

  /** The size of the mapped box in pixels. */
  get region(): readonly [number, number, number] {
    return this.#box.region;
  }

  /** The first pixel that is mapped. */
  get origin(): readonly [number, number, number] {
    return this.#box.origin;
  }

  /** Row pitch in bytes. The images of a 1-D image array are its rows. */
  get rowPitch(): number {
    return this.#rowPitch;
  }

  /** Slice pitch in bytes, or the stride between images of a 2-D image array. */
  get slicePitch(): number {
    return this.#slicePitch;
  }

  /** All memory from the first pixel to the last, including gaps between rows. */
  get data(): PixelArray<N> {
    const memory = this.memory;
    return this.#view(0, memory.byteLength - (memory.byteLength % this.#type.BYTES_PER_ELEMENT));
  }

  /**
   * Returns a view of the channels of one row. `y` and `z` are relative to the box. Writing to it writes to the image.
   */
  row(y: number, z = 0): PixelArray<N> {
    const [width, rows, slices] = this.#box.region;
    checkInteger(y, "y", 0, rows - 1);
    checkInteger(z, "z", 0, slices - 1);
    return this.#view(y * this.#rowPitch + z * this.#slicePitch, width * this.#image.elementSize);
  }

  /** Returns a contiguous copy of all channels. */
  toArray(): PixelArray<N> {
    const row = this.#rowLength();
    const [, rows, slices] = this.#box.region;
    const array = uninitializedArray(this.#type, row * rows * slices);
    this.#eachRow((view, i) => array.set(view as never, i * row));
    return array as PixelArray<N>;
  }

  /** Copies a contiguous array into all channels. Throws unless it has exactly their size. */
  set(array: TypedArray): void {
    checkPixels(this.#image, checkTypedArray(array, "array"), "array");
    const [, rows, slices] = this.#box.region;
    const row = this.#rowLength() * this.#type.BYTES_PER_ELEMENT;
    const bytes = bytesOver(array);
    if (bytes.length !== row * rows * slices) {
      throw outOfRange(
        `array must have ${row * rows * slices} bytes, the size of the mapped pixels, received ${bytes.length}`,
      );
    }
    this.#eachRow((view, i) => {
      new Uint8Array(view.buffer, view.byteOffset, row).set(bytes.subarray(i * row, (i + 1) * row));
    });
  }

  protected override summary(): string {
    return `${elementTypeName(this.#type)}, ${this.#box.region.join(" × ")} pixels of ${this.#image.format.toString()}`;
  }

  #rowLength(): number {
    return (this.#box.region[0] * this.#image.elementSize) / this.#type.BYTES_PER_ELEMENT;
  }

  #eachRow(visit: (row: TypedArray, i: number) => void): void {
    const [, rows, slices] = this.#box.region;
    for (let z = 0; z < slices; z++) {
      for (let y = 0; y < rows; y++) visit(this.row(y, z), z * rows + y);
    }
  }

  #view(start: number, bytes: number): PixelArray<N> {
    handleOf(this);
    const width = this.#type.BYTES_PER_ELEMENT;
    if (start % width !== 0) {
      throw typeError("the row pitch", `a multiple of ${width}, the bytes of a channel`, this.#rowPitch);
    }
    const Constructor = this.#type as unknown as new (memory: ArrayBuffer, at: number, length: number) => PixelArray<N>;
    return new Constructor(this.memory, start, bytes / width);
  }
}
