/** Struct types: named fields with the layout of C. */
import { checkIdentifier, checkString, rangeError, typeError } from "@cl/base";

import { listOf } from "./codecs.js";
import { type Codec, codecOf, DType, type DTypeValue, type StructValue } from "./dtype.js";
import {
  declare,
  type FieldLike,
  layOut,
  type StructField,
  type StructLayout,
  type StructOptions,
} from "./struct-layout.js";

/**
 * Returns a struct type with named fields: numbers, vectors, complex numbers, other structs, and arrays of these. It
 * has the layout of C; `verifyLayout` checks that a device's compiler agrees.
 *
 * @example
 * ```ts
 * const particle = structType("particle", { position: "float3", mass: "float32", tags: ["int32", 4] });
 * const view = new DataView(new ArrayBuffer(particle.itemSize));
 * particle.set(view, 0, { position: [1, 2, 3], mass: 0.5, tags: [1, 2, 3, 4] });
 * ```
 */
export function structType(
  name: string,
  fields: Readonly<Record<string, FieldLike>>,
  options?: StructOptions,
): StructType {
  return new StructType(checkIdentifier(name, "name"), layOut(fields, options));
}

/** A struct type; see {@link structType}. */
export class StructType extends DType {
  /** The fields by name, in order. */
  readonly fields: ReadonlyMap<string, StructField>;
  /** Whether the struct is packed, so that its fields have no padding. */
  readonly packed: boolean;
  /**
   * The definition in OpenCL C, including those of nested structs. Each definition has an include guard, so that the
   * declarations of several structs can be concatenated.
   */
  readonly cDeclaration: string;

  /** @internal */
  constructor(name: string, layout: StructLayout) {
    const { fields, bytes, alignment, packed } = layout;
    super({
      name,
      kind: "struct",
      cName: name,
      itemSize: bytes,
      alignment,
      arrayType: Uint8Array,
      width: 1,
      codec: structCodec(name, fields),
    });
    this.fields = new Map(fields.map((field) => [field.name, field]));
    this.packed = packed;
    this.cDeclaration = [...innerDeclarations(fields), guarded(name, declare(name, layout))].join("\n");
    Object.freeze(this);
  }

  /** This struct and the structs nested in it, without duplicates, innermost first. */
  get structs(): readonly StructType[] {
    const nested: StructType[] = [];
    for (const { type } of this.fields.values()) {
      const inner = type instanceof StructType ? type.structs : [];
      nested.push(...inner.filter((struct) => !nested.some((other) => other.equals(struct))));
    }
    return [...nested, this];
  }

  /**
   * Returns the offset of a field in bytes. `path` may lead into nested structs and arrays: `"parts[2].mass"`. Throws
   * if there is no such field.
   */
  offsetOf(path: string): number {
    const [name, ...rest] = steps(path);
    const field = this.fields.get(name as string);
    if (field === undefined) throw rangeError("path", `the name of a field of ${this.name}`, path);
    let member: Member | undefined = field;
    for (const step of rest) {
      member = typeof step === "number" ? elementOf(member, step) : fieldOf(member, step);
      if (member === undefined) throw rangeError("path", `the path of a field or an element of ${this.name}`, path);
    }
    return member.offset;
  }

  override get key(): string {
    const members = Array.from(
      this.fields.values(),
      ({ name, type, shape, offset }) => `${type.key} ${name}[${shape.join(",")}]@${offset}`,
    );
    return `${this.name}{${members.join(";")}}${this.itemSize}`;
  }
}

/** A field of a struct, or an array or element inside a field. */
type Member = Pick<StructField, "type" | "shape" | "offset">;

function elementOf({ type, shape, offset }: Member, index: number): Member | undefined {
  const [extent, ...rest] = shape;
  if (extent === undefined || index >= extent) return undefined;
  return {
    type,
    shape: rest,
    offset: offset + index * rest.reduce((product, length) => product * length, type.itemSize),
  };
}

function fieldOf({ type, shape, offset }: Member, name: string): Member | undefined {
  const field = type instanceof StructType && shape.length === 0 ? type.fields.get(name) : undefined;
  return field === undefined ? undefined : { ...field, offset: offset + field.offset };
}

function steps(path: string): (string | number)[] {
  if (!/^[A-Za-z_]\w*(\[\d+\]|\.[A-Za-z_]\w*)*$/.test(checkString(path, "path"))) {
    throw typeError("path", 'a path such as "mass" or "parts[2].mass"', path);
  }
  return [...path.matchAll(/\[(\d+)\]|\w+/g)].map(([word, index]) => (index === undefined ? word : Number(index)));
}

function innerDeclarations(fields: readonly StructField[]): Set<string> {
  const texts = new Set<string>();
  for (const { type } of fields) if (type instanceof StructType) texts.add(type.cDeclaration);
  return texts;
}

/**
 * Adds an include guard. Different structs of the same name have different guards, so that the compiler reports them.
 */
function guarded(name: string, definition: string): string {
  const guard = `STRUCT_${name}_${hash(definition)}`;
  return `#ifndef ${guard}\n#define ${guard}\n${definition}\n#endif\n`;
}

/** FNV-1a hash. Deterministic, because the program cache depends on the source. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return (value >>> 0).toString(16).padStart(8, "0");
}

/** Returns the codec of a struct. Values are objects with exactly one value per field. */
function structCodec(structName: string, fields: readonly StructField[]): Codec {
  const names = new Set(fields.map(({ name }) => name));
  return {
    encode(value, name, into) {
      if (typeof value !== "object" || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
        throw typeError(name, `an object with the fields of ${structName}`, value);
      }
      for (const key of Object.keys(value)) {
        if (!names.has(key)) throw typeError(name, `an object with the fields of ${structName}, not ${key}`, value);
      }
      for (const field of fields) {
        encodeField(field.type, field.shape, (value as StructValue)[field.name], `${name}.${field.name}`, into);
      }
    },
    write(view, at, scalars, next) {
      let index = next;
      for (const { type, offset, bytes } of fields) {
        const codec = codecOf(type);
        for (let elementOffset = 0; elementOffset < bytes; elementOffset += type.itemSize) {
          index = codec.write(view, at + offset + elementOffset, scalars, index);
        }
      }
      return index;
    },
    read(view, at) {
      const value: Record<string, DTypeValue> = {};
      for (const field of fields) value[field.name] = readField(field.type, field.shape, view, at + field.offset);
      return value;
    },
  };
}

function encodeField(
  type: DType,
  [extent, ...rest]: readonly number[],
  value: unknown,
  name: string,
  into: (number | bigint)[],
): void {
  if (extent === undefined) {
    codecOf(type).encode(value, name, into);
    return;
  }
  const list = listOf(value, name, extent);
  for (let i = 0; i < extent; i++) encodeField(type, rest, list[i], `${name}[${i}]`, into);
}

function readField(type: DType, [extent, ...rest]: readonly number[], view: DataView, at: number): DTypeValue {
  if (extent === undefined) return codecOf(type).read(view, at);
  const bytes = rest.reduce((product, length) => product * length, type.itemSize);
  return Array.from({ length: extent }, (_, i) => readField(type, rest, view, at + i * bytes));
}
