/** Conversion between dtypes and the descriptions in .npy files. */
import { type DType, dtype, type FieldLike, structType, StructType } from "@cl/core";
import { badFile } from "./bad-file.js";
import type { Literal } from "./python-literal.js";

/** Numbers of the other byte order in an element: offset, bytes per number, and count. */
export interface Swap {
  readonly offset: number;
  readonly bytes: number;
  readonly count: number;
}

/** The dtype of a file's elements, and the numbers whose bytes must be swapped. */
export interface NpyType {
  readonly type: DType;
  readonly swaps: readonly Swap[];
}

const names: Readonly<Record<string, string>> = {
  b1: "bool",
  i1: "int8",
  i2: "int16",
  i4: "int32",
  i8: "int64",
  u1: "uint8",
  u2: "uint16",
  u4: "uint32",
  u8: "uint64",
  f2: "float16",
  f4: "float32",
  f8: "float64",
  c8: "complex64",
  c16: "complex128",
};
/** Maximum size of records, and of the number of swaps in one. */
const largest = 2 ** 31 - 1;
const maxSwaps = 65_536;
const letters = new Map(Object.entries(names).map(([letter, name]) => [name, letter]));

/** The type that a header describes. */
export function typeOfDescription(description: Literal, file: string): NpyType {
  if (typeof description === "string") return scalarOf(description, file);
  if (Array.isArray(description)) return structOf(description as readonly Literal[], file);
  throw badFile(file, "is not a valid .npy file: the dtype in its header is invalid");
}

function scalarOf(text: string, file: string): NpyType {
  const [, order, letter] = /^([<>|=]?)(\w+)$/u.exec(text) ?? [];
  const name = letter === undefined || !Object.hasOwn(names, letter) ? undefined : names[letter];
  if (name === undefined) {
    throw badFile(file, `has elements of NumPy's dtype ${JSON.stringify(text)}, which is not supported`);
  }
  const type = dtype(name);
  const parts = type.kind === "complex" ? 2 : 1;
  const bytes = type.itemSize / parts;
  return { type, swaps: order === ">" && bytes > 1 ? [{ offset: 0, bytes, count: parts }] : [] };
}

/** A list of fields: names, types and extents. Those without a name are padding. */
function structOf(list: readonly Literal[], file: string): NpyType {
  const fields: Record<string, FieldLike> = {};
  const offsets = new Map<string, number>();
  const swaps: Swap[] = [];
  let end = 0;
  for (const entry of list) {
    const [title, description, extents = []] = Array.isArray(entry) ? (entry as readonly Literal[]) : [];
    const name = Array.isArray(title) ? (title as readonly Literal[])[1] : title;
    if (typeof name !== "string" || description === undefined) {
      throw badFile(file, "has an invalid field in its header");
    }
    const padding = name === "" ? /^[|<>]?V(\d{1,9})$/u.exec(typeof description === "string" ? description : "") : null;
    if (padding !== null) {
      end += Number(padding[1]);
      continue;
    }
    const inner = typeOfDescription(description, file);
    const shape = extentsOf(extents, `the field "${name}" of ${file}`);
    const count = shape.reduce((a, b) => a * b, 1);
    // The product of the extents may be infinite.
    if (end + inner.type.itemSize * count > largest) throw badFile(file, `has records of more than ${largest} bytes`);
    if (Object.hasOwn(fields, name)) throw badFile(file, `has two fields named "${name}" in its header`);
    Object.defineProperty(fields, name, {
      value: shape.length === 0 ? inner.type : [inner.type, ...shape],
      enumerable: true,
    });
    offsets.set(name, end);
    for (const swap of repeated(inner, count, end, maxSwaps - swaps.length, file)) {
      const last = swaps.at(-1);
      const joins = last?.bytes === swap.bytes && last.offset + last.bytes * last.count === swap.offset;
      if (joins) swaps[swaps.length - 1] = { ...last, count: last.count + swap.count };
      else swaps.push(swap);
    }
    end += inner.type.itemSize * count;
  }
  for (const packed of [false, true]) {
    const type = structOrError(fields, packed, file);
    const same = [...type.fields.values()].every(({ name, offset }) => offsets.get(name) === offset);
    if (same && type.itemSize === end) return { type, swaps };
  }
  throw badFile(file, "has records whose fields are neither aligned like a C struct nor packed");
}

/**
 * Returns the swaps of a field of `count` elements, at an offset in the record: a single one, if they cover all bytes.
 */
function repeated({ type, swaps }: NpyType, count: number, start: number, room: number, file: string): readonly Swap[] {
  const [first] = swaps;
  if (swaps.length === 1 && first !== undefined && first.bytes * first.count === type.itemSize) {
    if (room > 0) return [{ ...first, offset: start, count: first.count * count }];
  } else if (swaps.length * count <= room) {
    return Array.from({ length: swaps.length === 0 ? 0 : count }, (_, i) =>
      swaps.map((swap) => ({ ...swap, offset: start + i * type.itemSize + swap.offset })),
    ).flat();
  }
  throw badFile(file, `has records with more than ${maxSwaps} separate big-endian numbers`);
}

function structOrError(fields: Readonly<Record<string, FieldLike>>, packed: boolean, file: string): StructType {
  try {
    return structType("record", fields, { packed });
  } catch (error) {
    throw badFile(file, `has records that cannot be a struct: ${(error as Error).message}`, error);
  }
}

function extentsOf(value: Literal, what: string): readonly number[] {
  const list = Array.isArray(value) ? (value as readonly Literal[]) : [value];
  if (list.every((one) => typeof one === "number" && one > 0)) return list as readonly number[];
  throw badFile(what, "has invalid extents");
}

/** What a header says of a type: text of Python. */
export function descriptionOf(type: DType): string {
  if (type instanceof StructType) return `[${fieldsOf(type).join(", ")}]`;
  const letter = letters.get(type.name) as string;
  return `'${type.base.itemSize === 1 ? "|" : "<"}${letter}'`;
}

function fieldsOf({ fields, itemSize }: StructType): readonly string[] {
  const list: string[] = [];
  let end = 0;
  const pad = (to: number): void => {
    if (to > end) list.push(`('', '|V${to - end}')`);
    end = to;
  };
  for (const { name, type, shape, offset, bytes } of fields.values()) {
    pad(offset);
    const vector = type.kind === "vector";
    // A vector of 3 takes the room of one of 4.
    const own = vector ? [...shape, type.itemSize / type.base.itemSize] : shape;
    const extents = own.length === 0 ? "" : `, (${own.join(", ")}${own.length === 1 ? "," : ""})`;
    list.push(`('${name}', ${descriptionOf(vector ? type.base : type)}${extents})`);
    end += bytes;
  }
  pad(itemSize);
  return list;
}

/** Turns around the bytes of numbers in elements of a size, in place. */
export function swapBytes(bytes: Uint8Array, itemSize: number, swaps: readonly Swap[]): void {
  for (const { offset, bytes: width, count } of swaps) {
    for (let element = offset; element < bytes.length; element += itemSize) {
      for (let part = 0; part < count; part++) {
        bytes.subarray(element + part * width, element + (part + 1) * width).reverse();
      }
    }
  }
}
