/** Headers of .npy files: dtype, shape and order of the elements. */
import { sizeOf } from "@cl/base";
import type { DType } from "@cl/core";
import { badFile } from "./bad-file.js";
import type { Bytes } from "./byte-stream.js";
import { descriptionOf, type NpyType, typeOfDescription } from "./npy-types.js";
import { parseLiteral, Tuple } from "./python-literal.js";

/** The contents of a header. */
export interface NpyHeader extends NpyType {
  readonly shape: readonly number[];
  /** Whether the elements are in F order (column-major). */
  readonly fortranOrder: boolean;
  /** Byte offset of the first element. */
  readonly start: number;
}

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59] as const;

/** No header is longer: records of hundreds of fields have some ten thousand characters. */
const longest = 2 ** 24;

/** Reads the header from the beginning of a file of `length` bytes, and checks the size of the elements after it. */
export async function readHeader(bytes: Bytes, length: number, file: string): Promise<NpyHeader> {
  if (length < 10) throw badFile(file, `is not a .npy file: it has only ${length} bytes`);
  const head = await bytes.read(8);
  if (magic.some((byte, i) => head[i] !== byte)) {
    throw badFile(file, "is not a .npy file: it does not start with the magic string");
  }
  const [major, minor] = [head[6] as number, head[7] as number];
  if (major < 1 || major > 3 || minor !== 0) {
    throw badFile(file, `is a .npy file of version ${major}.${minor}; versions 1 to 3 are supported`);
  }
  const width = major === 1 ? 2 : 4;
  const size = (await bytes.read(width)).readUIntLE(0, width);
  const start = 8 + width + size;
  if (start > length || size > longest) {
    throw badFile(file, `is truncated: its header has ${size} bytes, but the file has only ${length}`);
  }
  const text = (await bytes.read(size)).toString(major === 3 ? "utf8" : "latin1");
  const header = parseLiteral(text);
  const wrong = (): Error =>
    badFile(file, "is not a valid .npy file: its header must have descr, fortran_order and shape");
  if (!(header instanceof Map) || header.size !== 3) throw wrong();
  const fields = header as ReadonlyMap<string, unknown>;
  const [order, shape] = [fields.get("fortran_order"), extentsOf(fields.get("shape"))];
  if (typeof order !== "boolean" || shape === undefined || !fields.has("descr")) throw wrong();
  const type = typeOfDescription(fields.get("descr") as never, file);
  checkBytes(shape, type.type, length - start, file);
  return { ...type, shape, fortranOrder: order, start };
}

/**
 * Throws unless the elements of a shape have `found` bytes. Products beyond the safe integers are too large for any
 * file.
 */
function checkBytes(shape: readonly number[], type: DType, found: number, file: string): void {
  const needed = sizeOf(shape) * type.itemSize;
  if (needed === found) return;
  const what = `${type.name} elements of the shape [${shape.join()}]`;
  const more = found < needed ? "is truncated" : "has data after its elements";
  throw badFile(file, `${more}: ${what} need ${needed} bytes, but ${found} follow the header`);
}

/** As NumPy, it accepts only tuples. */
function extentsOf(value: unknown): readonly number[] | undefined {
  if (!(value instanceof Tuple)) return undefined;
  return value.every((one) => typeof one === "number" && one >= 0) ? Array.from(value as number[]) : undefined;
}

/** A header in C order; of a length that it has room in, if one is said: a multiple of 64. */
export function headerOf(type: DType, shape: readonly number[], length?: number): Buffer {
  const extents = `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
  const text = `{'descr': ${descriptionOf(type)}, 'fortran_order': False, 'shape': ${extents}, }`;
  // Elements begin at multiples of 64 bytes, and a line ends before them.
  const all = length ?? Math.ceil((12 + text.length + 1) / 64) * 64;
  const long = all - 10 > 0xffff;
  const before = long ? 12 : 10;
  const header = Buffer.alloc(all, " ");
  header.set(magic);
  // Names of fields are letters, digits and underscores: no header needs version 3.
  header.set([long ? 2 : 1, 0], 6);
  header.writeUIntLE(all - before, 8, before - 8);
  header.write(text, before, "latin1");
  header[all - 1] = 0x0a;
  return header;
}
