/** The C layout of structs: field offsets, size, and the declaration in OpenCL C. */
import { checkBoolean, checkIdentifier, checkInteger, checkOptions, rangeError, typeError } from "@cl/base";

import type { DType } from "./dtype.js";
import { checkDType, type DTypeLike } from "./registry.js";

/** The type of a field, or for an array field the element type followed by the extents: `["int32", 4]`. */
export type FieldLike = DTypeLike | readonly [DTypeLike, number, ...number[]];

/** Options of `structType`. */
export interface StructOptions {
  /**
   * Whether to omit padding, like `__attribute__((packed))`.
   *
   * @defaultValue `false`
   */
  readonly packed?: boolean;
}

/** A field of a struct. */
export interface StructField {
  /** The name. */
  readonly name: string;
  /** The type; the element type of an array field. */
  readonly type: DType;
  /** The shape of an array field; empty for other fields. */
  readonly shape: readonly number[];
  /** Offset in the struct, in bytes. */
  readonly offset: number;
  /** Size in bytes. */
  readonly bytes: number;
}

/** The layout of a struct. */
export interface StructLayout {
  readonly fields: readonly StructField[];
  readonly bytes: number;
  readonly alignment: number;
  readonly packed: boolean;
}

/** Returns the layout that a C compiler would use for the fields. */
export function layOut(fields: Readonly<Record<string, FieldLike>>, options: StructOptions | undefined): StructLayout {
  const packed = checkBoolean(checkOptions(options, ["packed"]).packed, "options.packed", false);
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
    throw typeError("fields", "an object with a type for each field", fields);
  }
  const entries = Object.entries(fields);
  if (entries.length === 0) throw typeError("fields", "an object with at least one field", fields);
  const placed: StructField[] = [];
  let end = 0;
  let alignment = 1;
  for (const [key, like] of entries) {
    const name = checkIdentifier(key, `the field ${JSON.stringify(key)} of fields`);
    const { type, shape } = fieldType(like, `fields.${name}`);
    const fieldAlignment = packed ? 1 : type.alignment;
    const offset = roundUp(end, fieldAlignment);
    const bytes = shape.reduce((product, extent) => product * extent, type.itemSize);
    end = offset + bytes;
    if (end > maxBytes) throw rangeError(`fields.${name}`, `in a struct of at most ${maxBytes} bytes`, end);
    alignment = Math.max(alignment, fieldAlignment);
    placed.push(Object.freeze({ name, type, shape, offset, bytes }));
  }
  return { fields: placed, bytes: roundUp(end, alignment), alignment, packed };
}

/** Maximum size of a struct: every compiler supports 31-bit offsets. */
const maxBytes = 2 ** 31 - 1;

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}

function fieldType(like: FieldLike, name: string): { type: DType; shape: readonly number[] } {
  if (!Array.isArray(like)) return { type: checkDType(like as DTypeLike, name), shape: [] };
  const [element, ...extents] = like as unknown as [DTypeLike, ...unknown[]];
  if (extents.length === 0) {
    throw typeError(name, 'a type, or the element type and extents of an array such as ["int32", 4]', like);
  }
  const shape = extents.map((extent, i) => checkInteger(extent, `${name}[${i + 1}]`, 1, maxBytes));
  return { type: checkDType(element, `${name}[0]`), shape: Object.freeze(shape) };
}

/** Returns the type definition in OpenCL C, without the definitions of its fields' types. */
export function declare(name: string, { fields, packed }: StructLayout): string {
  const lines = fields.map(
    (field) => `  ${field.type.cName} ${field.name}${field.shape.map((extent) => `[${extent}]`).join("")};`,
  );
  return ["typedef struct " + (packed ? "__attribute__((packed)) " : "") + "{", ...lines, `} ${name};`].join("\n");
}
