/** Images for tests: every image type with every supported format, and independently computed pixels. */
import {
  ChannelOrder,
  type Color,
  type CommandQueue,
  type Context,
  DeviceBuffer,
  Image,
  type ImageFormat,
  MemObjectType,
  NotSupportedError,
  supportedImageFormats,
} from "@cl/core";

/** An image type with a small shape of odd, unequal sizes. */
export interface ImageKind {
  readonly name: string;
  readonly type: MemObjectType;
  readonly shape: readonly [number] | readonly [number, number] | readonly [number, number, number];
  readonly array: boolean;
}

/** Every image type. */
export const imageKinds: readonly ImageKind[] = [
  { name: "1-D", type: MemObjectType.IMAGE1D, shape: [7], array: false },
  { name: "1-D over a buffer", type: MemObjectType.IMAGE1D_BUFFER, shape: [7], array: false },
  { name: "1-D array", type: MemObjectType.IMAGE1D_ARRAY, shape: [7, 3], array: true },
  { name: "2-D", type: MemObjectType.IMAGE2D, shape: [7, 5], array: false },
  { name: "2-D array", type: MemObjectType.IMAGE2D_ARRAY, shape: [7, 5, 3], array: true },
  { name: "3-D", type: MemObjectType.IMAGE3D, shape: [7, 5, 3], array: false },
];

/** Returns the supported formats of an image type. Empty if the context does not support images. */
export function formatsOf(context: Context, { type }: ImageKind): readonly ImageFormat[] {
  return context.devices.some((device) => device.imageSupport) ? supportedImageFormats(context, type) : [];
}

/** Creates an image of a type, over a new buffer if the type needs one. */
export function imageOf(
  context: Context,
  kind: ImageKind,
  format: ImageFormat,
  shape: ImageKind["shape"] = kind.shape,
): Image {
  const buffer = new DeviceBuffer(context, pixelsIn(shape) * format.itemSize);
  const over = kind.type === MemObjectType.IMAGE1D_BUFFER ? { buffer } : {};
  return new Image(context, { format, shape, array: kind.array, ...over });
}

/** Returns the number of pixels in a shape. */
export function pixelsIn(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** Pads a shape with ones to three sizes. */
export function extentIn([x = 1, y = 1, z = 1]: readonly number[]): readonly [number, number, number] {
  return [x, y, z];
}

/** Extracts the bytes of a box from an image's tightly packed bytes. */
export function boxIn(
  bytes: Uint8Array,
  shape: readonly number[],
  pixel: number,
  origin: readonly [number, number, number],
  region: readonly [number, number, number],
): Uint8Array {
  const [width, height] = extentIn(shape);
  const rows: number[] = [];
  for (let z = 0; z < region[2]; z++) {
    for (let y = 0; y < region[1]; y++) {
      const start = (((origin[2] + z) * height + origin[1] + y) * width + origin[0]) * pixel;
      rows.push(...bytes.subarray(start, start + region[0] * pixel));
    }
  }
  return Uint8Array.from(rows);
}

/** Returns the bytes of any array. */
export function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Returns pseudorandom bytes that are finite numbers in every format. */
export function noise(length: number, seed = 1): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    // Excludes infinities and NaN, which drivers may convert.
    return (state >>> 16) & 0x3f;
  });
}

/** Returns a color that the format represents exactly, and the pixel's bytes according to OpenCL's tables. */
export function exactColor(format: ImageFormat): { readonly color: Color; readonly bytes: Uint8Array } {
  const parts = [0, 1, 2, 3].map((i) => part(format, i));
  const bytes = channelsOf(format.orderName).flatMap((i) => (i < 0 ? parts[0]?.zero : parts[i]?.bytes) ?? []);
  const color = parts.map(({ value }) => value) as [number, number, number, number];
  if (format.channelOrder === ChannelOrder.DEPTH) return { color: color[0], bytes: Uint8Array.from(bytes) };
  return { color, bytes: Uint8Array.from(format.packed ? packed(format) : bytes) };
}

/** Returns the index in RGBA of each channel of an order, −1 for padding. */
function channelsOf(order: string): readonly number[] {
  if (["INTENSITY", "LUMINANCE", "DEPTH"].includes(order)) return [0];
  // Only the padding of RGBx is stored.
  const letters = order.replace("s", "").replace(/^(RG?)x$/, "$1");
  return Array.from(letters, (letter) => "RGBA".indexOf(letter));
}

/** Returns the channel value for red (maximum), green (zero), blue (highest bit) or alpha (one step). */
function part(format: ImageFormat, i: number): { value: number; bytes: readonly number[]; zero: readonly number[] } {
  const zero: readonly number[] = Array.from({ length: format.componentSize }, () => 0);
  const { dtype } = format;
  // sRGB conversion rounds all values but 0 and 1.
  const curved = format.orderName.startsWith("s") && i < 3;
  const bits = Number(/\d+/.exec(dtype)?.[0]);
  if (dtype.startsWith("float")) {
    const value = [1, 0, -2.5, 0.5][i] as number;
    const code = bits === 32 ? [0x3f800000, 0, 0xc0200000, 0x3f000000] : [0x3c00, 0, 0xc100, 0x3800];
    return { value, bytes: littleEndian(code[i] as number, format.componentSize), zero };
  }
  const most = dtype.startsWith("u") ? 2 ** bits - 1 : 2 ** (bits - 1) - 1;
  const code = ([most, 0, curved ? most : dtype.startsWith("u") ? 2 ** (bits - 1) : -most, 1] as const)[i] as number;
  const value = format.packed ? ([1, 0, 1, 0] as const)[i] : format.normalized ? code / most : code;
  return { value: value as number, bytes: littleEndian(code, format.componentSize), zero };
}

/** Returns a packed pixel with maximum red and blue. */
function packed(format: ImageFormat): readonly number[] {
  const codes: Readonly<Record<string, number>> = {
    unorm565: 0xf81f,
    unorm555: 0x7c1f,
    unorm101010: 0x3ff003ff,
    unorm101010_2: 0xffc00ffc,
  };
  return littleEndian(codes[format.dtype] as number, format.itemSize);
}

function littleEndian(code: number, bytes: number): readonly number[] {
  return Array.from({ length: bytes }, (_, i) => Math.floor(code / 2 ** (8 * i)) & 0xff);
}

/** Returns false and prints the reason if the driver does not support copies of such images to buffers. */
export function copiesToBuffers(queue: CommandQueue, image: Image): boolean {
  try {
    queue.enqueueCopy(new DeviceBuffer(queue.context, pixelsIn(image.shape) * image.format.itemSize), image);
    return true;
  } catch (error) {
    if (!(error instanceof NotSupportedError)) throw error;
    // oxlint-disable-next-line no-console -- skipped checks must be visible
    console.warn(`skipped: ${error.message}`);
    return false;
  }
}
