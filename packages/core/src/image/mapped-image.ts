/** A mapped image: its pixels in host memory, row by row, with what the driver leaves between the rows. */
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
 * A box of pixels that the host can touch, until {@link MappedMemory.unmap}. Between its rows lie as many bytes as the
 * driver likes: {@link rowPitch} and {@link slicePitch} say how far they are apart. `row` gives one row, `toArray` and `set`
 * move all pixels without the gaps.
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

  /** @internal Of a map that has completed. */
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

  /** The image. */
  get image(): Image<N> {
    return this.#image;
  }

  /** How many pixels are mapped along x, y and z. */
  get region(): readonly [number, number, number] {
    return this.#box.region;
  }

  /** The first pixel that is mapped. */
  get origin(): readonly [number, number, number] {
    return this.#box.origin;
  }

  /** Bytes from row to row; the images of an array of 1-D images are its rows. */
  get rowPitch(): number {
    return this.#rowPitch;
  }

  /** Bytes from slice to slice, or from image to image of an array of 2-D images. */
  get slicePitch(): number {
    return this.#slicePitch;
  }

  /** Everything from the first pixel to the last, with what lies between the rows. */
  get data(): PixelArray<N> {
    const memory = this.memory;
    return this.#view(0, memory.byteLength - (memory.byteLength % this.#type.BYTES_PER_ELEMENT));
  }

  /** One row of channels, counted inside the box: a view, so that writing to it writes to the image. */
  row(y: number, z = 0): PixelArray<N> {
    const [width, rows, slices] = this.#box.region;
    checkInteger(y, "y", 0, rows - 1);
    checkInteger(z, "z", 0, slices - 1);
    return this.#view(y * this.#rowPitch + z * this.#slicePitch, width * this.#image.elementSize);
  }

  /** A copy of all channels without gaps: row after row, slice after slice. */
  toArray(): PixelArray<N> {
    const row = this.#rowLength();
    const [, rows, slices] = this.#box.region;
    const array = uninitializedArray(this.#type, row * rows * slices);
    this.#eachRow((view, i) => array.set(view as never, i * row));
    return array as PixelArray<N>;
  }

  /** Writes all channels from an array without gaps. */
  set(array: TypedArray): void {
    checkPixels(this.#image, checkTypedArray(array, "array"), "array");
    const [, rows, slices] = this.#box.region;
    const row = this.#rowLength() * this.#type.BYTES_PER_ELEMENT;
    const bytes = bytesOver(array);
    if (bytes.length !== row * rows * slices) {
      throw outOfRange(
        `array must have the ${row * rows * slices} bytes of the mapped pixels, received ${bytes.length}`,
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
      throw typeError("the row pitch", `a multiple of the ${width} bytes of a channel`, this.#rowPitch);
    }
    const Constructor = this.#type as unknown as new (memory: ArrayBuffer, at: number, length: number) => PixelArray<N>;
    return new Constructor(this.memory, start, bytes / width);
  }
}
