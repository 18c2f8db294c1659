/** Structs as a device lays them out, from lists of fields as NumPy has them. */
import { abortable, checkIdentifier, checkOptions, checkSignal, checkString, typeError } from "@cl/base";
import {
  CommandQueue,
  type CompilerOptions,
  Context,
  Device,
  DType,
  type DTypeLike,
  type FieldLike,
  matchLayout,
  type StructType,
  structType,
} from "@cl/core";

import { FirstArgCache } from "../memoize/first-arg-cache.js";

/** A field's type: an element type, the fields of a struct inside, or one of these with extents: `["int32", 4]`. */
export type MatchedField = DTypeLike | StructFields | readonly [DTypeLike | StructFields, number, ...number[]];

/** A field as NumPy lists it: its name, its type, and for an array its extents. */
export type ListedField = readonly [name: string, type: DTypeLike | StructFields, shape?: number | readonly number[]];

/** The fields of a struct: an object with a type for each, or NumPy's list. */
export type StructFields = { readonly [name: string]: MatchedField } | readonly ListedField[];

/** How to match a struct. */
export interface MatchStructOptions {
  /** Without padding. */
  readonly packed?: boolean;
  /** Options of the programs that will use the struct, since they may change what its text means. */
  readonly options?: CompilerOptions;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

/**
 * The struct with these fields as a device's compiler lays it out. Its `cDeclaration` is the text for programs; its
 * offsets and its size are the device's, which is asked once. Structs inside are named after their fields.
 *
 * @param target - a device, a queue (its device is asked), or a context (all of its devices are, and must agree)
 *
 * @example
 * ```ts
 * const minmax = await matchStruct(context, "minmax", [
 *   ["lowest", "float32"],
 *   ["highest", "float32"],
 *   ["at", "int32", [2]],
 * ]);
 * console.log(minmax.itemSize, minmax.offsetOf("at")); // 16 8
 * ```
 */
export async function matchStruct(
  target: Device | Context | CommandQueue,
  name: string,
  fields: StructFields,
  options?: MatchStructOptions,
): Promise<StructType> {
  if (!(target instanceof Device || target instanceof Context || target instanceof CommandQueue)) {
    throw typeError("target", "a Device, a CommandQueue or a Context", target);
  }
  const { packed, options: compiler, signal } = checkOptions(options, ["packed", "options", "signal"]);
  checkSignal(signal);
  const struct = structOf(checkIdentifier(name, "name"), fields, "fields", packed);
  const given = compiler === undefined ? {} : { options: compiler };
  const matched = structs.get(target, [struct, struct.packed, compiler], () => matchLayout(target, struct, given));
  return abortable(matched, signal);
}

const structs = new FirstArgCache<Promise<StructType>>();

function structOf(name: string, fields: StructFields, path: string, packed: boolean | undefined): StructType {
  const entries = Array.isArray(fields) ? listed(fields, path) : named(fields, path);
  const types: Record<string, FieldLike> = {};
  for (const [field, type] of entries) {
    const own = `${path}.${checkIdentifier(field, `the field ${JSON.stringify(field)} of ${path}`)}`;
    if (Object.hasOwn(types, field)) throw typeError(path, `different names, but "${field}" comes twice`, fields);
    types[field] = fieldOf(type, `${name}_${field}`, own, packed);
  }
  return structType(name, types, packed === undefined ? {} : { packed });
}

/** Whether something is an element type, the fields of a struct, or an array of one of these. */
function fieldOf(type: MatchedField, name: string, path: string, packed: boolean | undefined): FieldLike {
  const parts: readonly unknown[] = Array.isArray(type) ? type : [];
  // NumPy's list has nothing but lists in it; an array's type is followed by numbers.
  if (parts.length > 0 && !parts.every(Array.isArray)) {
    const [element, ...extents] = parts;
    return [elementOf(element, name, path, packed), ...extents] as unknown as FieldLike;
  }
  return elementOf(type, name, path, packed);
}

function elementOf(type: unknown, name: string, path: string, packed: boolean | undefined): DTypeLike {
  if (typeof type === "string" && /^[|<>=]?V\d*$/.test(type)) {
    throw typeError(path, "left out where it is padding: the device pads as it must", type);
  }
  if (typeof type === "object" && type !== null && !(type instanceof DType)) {
    return structOf(name, type as StructFields, path, packed);
  }
  return type as DTypeLike;
}

function listed(fields: readonly unknown[], path: string): [string, MatchedField][] {
  return fields.map((field, i) => {
    const own = `${path}[${i}]`;
    if (!Array.isArray(field) || field.length < 2 || field.length > 3) {
      throw typeError(own, 'a name, a type and perhaps a shape, as ["x", "float32", [2]]', field);
    }
    const [name, type, shape] = field as unknown as ListedField;
    if (checkString(name, `${own}[0]`) === "") {
      throw typeError(`${own}[0]`, "a name: padding is left out, the device pads as it must", name);
    }
    if (shape === undefined) return [name, type];
    const extents: readonly unknown[] = Array.isArray(shape) ? shape : [shape];
    return [name, (extents.length === 0 ? type : [type, ...extents]) as MatchedField];
  });
}

function named(fields: unknown, path: string): [string, MatchedField][] {
  if (typeof fields !== "object" || fields === null || fields instanceof DType) {
    throw typeError(path, "an object with a type for each field, or a list of names and types", fields);
  }
  return Object.entries(fields as Record<string, MatchedField>);
}
