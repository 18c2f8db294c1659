/** Structs: types with named fields, laid out as a C compiler does. */
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
 * A type with named fields: numbers, vectors, complex numbers, other structs, and arrays of these. Its layout is that of
 * C; `verifyLayout` asks a device whether its compiler agrees.
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

/** A struct; {@link structType} makes them. */
export class StructType extends DType {
  /** Its fields in their order, by name. */
  readonly fields: ReadonlyMap<string, StructField>;
  /** True if there is no padding between its fields. */
  readonly packed: boolean;
  /**
   * Its definition for programs, those of the structs inside it included. Each stands between guards, so that several
   * structs' texts can follow one another.
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

  /** The struct and those inside it, each once, the innermost first. */
  get structs(): readonly StructType[] {
    const all: StructType[] = [];
    for (const { type } of this.fields.values()) {
      const inner = type instanceof StructType ? type.structs : [];
      all.push(...inner.filter((struct) => !all.some((one) => one.equals(struct))));
    }
    return [...all, this];
  }

  /** Where a field starts, in bytes; `path` may lead into structs and arrays: `"parts[2].mass"`. */
  offsetOf(path: string): number {
    const [name, ...rest] = steps(path);
    const field = this.fields.get(name as string);
    if (field === undefined) throw rangeError("path", `the name of a field of ${this.name}`, path);
    let place: Place | undefined = field;
    for (const step of rest) {
      place = typeof step === "number" ? elementOf(place, step) : fieldOf(place, step);
      if (place === undefined) throw rangeError("path", `that of a field or an element in ${this.name}`, path);
    }
    return place.offset;
  }

  override get key(): string {
    const places = Array.from(
      this.fields.values(),
      ({ name, type, shape, offset }) => `${type.key} ${name}[${shape.join(",")}]@${offset}`,
    );
    return `${this.name}{${places.join(";")}}${this.itemSize}`;
  }
}

/** Something inside a struct: a field, an array in one, an element. */
type Place = Pick<StructField, "type" | "shape" | "offset">;

function elementOf({ type, shape, offset }: Place, index: number): Place | undefined {
  const [extent, ...rest] = shape;
  if (extent === undefined || index >= extent) return undefined;
  return { type, shape: rest, offset: offset + index * rest.reduce((product, one) => product * one, type.itemSize) };
}

function fieldOf({ type, shape, offset }: Place, name: string): Place | undefined {
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

/** Another struct of the same name has another guard, so that the compiler sees both and complains. */
function guarded(name: string, definition: string): string {
  const guard = `STRUCT_${name}_${hash(definition)}`;
  return `#ifndef ${guard}\n#define ${guard}\n${definition}\n#endif\n`;
}

/** FNV-1a: the same text has the same guard in every process, which caches of programs rely on. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return (value >>> 0).toString(16).padStart(8, "0");
}

/** An object with a value for each field; nothing may be missing, and nothing is left over. */
function structCodec(structName: string, fields: readonly StructField[]): Codec {
  const names = new Set(fields.map(({ name }) => name));
  return {
    take(value, name, into) {
      if (typeof value !== "object" || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
        throw typeError(name, `an object with the fields of ${structName}`, value);
      }
      for (const key of Object.keys(value)) {
        if (!names.has(key)) throw typeError(name, `an object with the fields of ${structName}, not ${key}`, value);
      }
      for (const field of fields) {
        takeArray(field, field.shape, (value as StructValue)[field.name], `${name}.${field.name}`, into);
      }
    },
    write(view, at, scalars, next) {
      let rest = next;
      for (const { type, offset, bytes } of fields) {
        const codec = codecOf(type);
        for (let place = 0; place < bytes; place += type.itemSize) {
          rest = codec.write(view, at + offset + place, scalars, rest);
        }
      }
      return rest;
    },
    read(view, at) {
      const value: Record<string, DTypeValue> = {};
      for (const field of fields) value[field.name] = readArray(field.type, field.shape, view, at + field.offset);
      return value;
    },
  };
}

function takeArray(
  { type }: StructField,
  [extent, ...rest]: readonly number[],
  value: unknown,
  name: string,
  into: (number | bigint)[],
): void {
  if (extent === undefined) {
    codecOf(type).take(value, name, into);
    return;
  }
  const list = listOf(value, name, extent);
  for (let i = 0; i < extent; i++) takeArray({ type } as StructField, rest, list[i], `${name}[${i}]`, into);
}

function readArray(type: DType, [extent, ...rest]: readonly number[], view: DataView, at: number): DTypeValue {
  if (extent === undefined) return codecOf(type).read(view, at);
  const bytes = rest.reduce((product, one) => product * one, type.itemSize);
  return Array.from({ length: extent }, (_, i) => readArray(type, rest, view, at + i * bytes));
}
