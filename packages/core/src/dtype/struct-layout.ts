/** How C lays out a struct: where each field starts, how large the whole is, and how it is written down in a program. */
import { checkBoolean, checkIdentifier, checkInteger, checkOptions, rangeError, typeError } from "@cl/base";

import type { DType } from "./dtype.js";
import { checkDType, type DTypeLike } from "./registry.js";

/** The type of a field; for an array, its elements' type followed by its extents: `["int32", 4]`. */
export type FieldLike = DTypeLike | readonly [DTypeLike, number, ...number[]];

/** How to lay out a struct. */
export interface StructOptions {
  /** Without padding, as `__attribute__((packed))` has it. */
  readonly packed?: boolean;
}

/** A field of a struct. */
export interface StructField {
  /** Its name. */
  readonly name: string;
  /** Its type; for an array, that of its elements. */
  readonly type: DType;
  /** The extents of an array; empty for a field that is none. */
  readonly shape: readonly number[];
  /** Where it starts, in bytes. */
  readonly offset: number;
  /** Its bytes. */
  readonly bytes: number;
}

/** A struct's layout. */
export interface StructLayout {
  readonly fields: readonly StructField[];
  readonly bytes: number;
  readonly alignment: number;
  readonly packed: boolean;
}

/** The layout that a C compiler gives the fields. */
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
    const own = packed ? 1 : type.alignment;
    const offset = roundUp(end, own);
    const bytes = shape.reduce((product, extent) => product * extent, type.itemSize);
    end = offset + bytes;
    if (end > largest) throw rangeError(`fields.${name}`, `in a struct of at most ${largest} bytes`, end);
    alignment = Math.max(alignment, own);
    placed.push(Object.freeze({ name, type, shape, offset, bytes }));
  }
  return { fields: placed, bytes: roundUp(end, alignment), alignment, packed };
}

/** Offsets of 31 bits suit every compiler, and no struct comes near. */
const largest = 2 ** 31 - 1;

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}

function fieldType(like: FieldLike, name: string): { type: DType; shape: readonly number[] } {
  if (!Array.isArray(like)) return { type: checkDType(like as DTypeLike, name), shape: [] };
  const [element, ...extents] = like as unknown as [DTypeLike, ...unknown[]];
  if (extents.length === 0) throw typeError(name, 'a type, or an array\'s type and extents as ["int32", 4]', like);
  const shape = extents.map((extent, i) => checkInteger(extent, `${name}[${i + 1}]`, 1, largest));
  return { type: checkDType(element, `${name}[0]`), shape: Object.freeze(shape) };
}

/** The struct's type definition in OpenCL C, without those of its fields. */
export function declare(name: string, { fields, packed }: StructLayout): string {
  const lines = fields.map(
    (field) => `  ${field.type.cName} ${field.name}${field.shape.map((extent) => `[${extent}]`).join("")};`,
  );
  return ["typedef struct " + (packed ? "__attribute__((packed)) " : "") + "{", ...lines, `} ${name};`].join("\n");
}
