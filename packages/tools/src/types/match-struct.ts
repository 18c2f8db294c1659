/** Structs with the layout of a device's compiler, from NumPy-style field lists. */
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

/** A field's type: an element type, the fields of a nested struct, or an array of either: `["int32", 4]`. */
export type MatchedField = DTypeLike | StructFields | readonly [DTypeLike | StructFields, number, ...number[]];

/** A field in NumPy's form: name, type and, for an array, its shape. */
export type ListedField = readonly [name: string, type: DTypeLike | StructFields, shape?: number | readonly number[]];

/** The fields of a struct: an object of names and types, or NumPy's list form. */
export type StructFields = { readonly [name: string]: MatchedField } | readonly ListedField[];

/** Options of {@link matchStruct}. */
export interface MatchStructOptions {
  /** Omits padding. @defaultValue false */
  readonly packed?: boolean;
  /** Compiler options of the programs that will use the struct, since they may change its layout. */
  readonly options?: CompilerOptions;
  /** Aborts the wait. */
  readonly signal?: AbortSignal;
}

/**
 * Returns a struct type with the field offsets and size that the device's compiler uses. The device is queried once per
 * struct; later calls use a cache. `cDeclaration` of the result is the declaration for programs. Nested structs are
 * named after their fields.
 *
 * @param target - A device, a queue (for its device), or a context (all of its devices must agree).
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
  const compilation = compiler === undefined ? {} : { options: compiler };
  const matched = structs.get(target, [struct, struct.packed, compiler], () =>
    matchLayout(target, struct, compilation),
  );
  return abortable(matched, signal);
}

const structs = new FirstArgCache<Promise<StructType>>();

function structOf(name: string, fields: StructFields, path: string, packed: boolean | undefined): StructType {
  const entries = Array.isArray(fields) ? listed(fields, path) : named(fields, path);
  const types: Record<string, FieldLike> = {};
  for (const [field, type] of entries) {
    const fieldPath = `${path}.${checkIdentifier(field, `the field ${JSON.stringify(field)} of ${path}`)}`;
    if (Object.hasOwn(types, field)) throw typeError(path, `a list of unique names ("${field}" is repeated)`, fields);
    types[field] = fieldOf(type, `${name}_${field}`, fieldPath, packed);
  }
  return structType(name, types, packed === undefined ? {} : { packed });
}

/** Converts a field's type, which may be an array, to the form that `structType` takes. */
function fieldOf(type: MatchedField, name: string, path: string, packed: boolean | undefined): FieldLike {
  const parts: readonly unknown[] = Array.isArray(type) ? type : [];
  // NumPy's list form contains only lists; an array type contains extents.
  if (parts.length > 0 && !parts.every(Array.isArray)) {
    const [element, ...extents] = parts;
    return [elementOf(element, name, path, packed), ...extents] as unknown as FieldLike;
  }
  return elementOf(type, name, path, packed);
}

function elementOf(type: unknown, name: string, path: string, packed: boolean | undefined): DTypeLike {
  if (typeof type === "string" && /^[|<>=]?V\d*$/.test(type)) {
    throw typeError(path, "omitted for padding, which the device's layout adds", type);
  }
  if (typeof type === "object" && type !== null && !(type instanceof DType)) {
    return structOf(name, type as StructFields, path, packed);
  }
  return type as DTypeLike;
}

function listed(fields: readonly unknown[], path: string): [string, MatchedField][] {
  return fields.map((field, i) => {
    const fieldPath = `${path}[${i}]`;
    if (!Array.isArray(field) || field.length < 2 || field.length > 3) {
      throw typeError(fieldPath, 'a name, a type and an optional shape, such as ["x", "float32", [2]]', field);
    }
    const [name, type, shape] = field as unknown as ListedField;
    if (checkString(name, `${fieldPath}[0]`) === "") {
      throw typeError(`${fieldPath}[0]`, "a name; omit padding, which the device's layout adds", name);
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
