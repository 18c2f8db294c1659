/** Struct layouts that devices report, and structs built from them. */
import type { StructField } from "../dtype/struct-layout.js";
import { StructType } from "../dtype/struct-type.js";

/** Size, alignment and field offsets of a struct and its nested structs, by struct name. */
export type ReportedLayouts = ReadonlyMap<string, readonly number[]>;

/** Returns the reported numbers of one struct. */
export function reportedNumbers({ name }: StructType, layouts: ReportedLayouts): readonly number[] {
  return layouts.get(name) ?? [];
}

/** Returns the numbers of the struct's own layout. */
export function expectedNumbers({ itemSize, alignment, fields }: StructType): readonly number[] {
  return [itemSize, alignment, ...Array.from(fields.values(), ({ offset }) => offset)];
}

/** Returns the struct with the reported layout; calls `reject`, which throws, for an impossible one. */
export function withReportedLayout(
  struct: StructType,
  layouts: ReportedLayouts,
  reject: (inner: StructType, reported: readonly number[]) => never,
): StructType {
  const result = new Map<string, StructType>();
  for (const inner of struct.structs) {
    const reported = reportedNumbers(inner, layouts);
    const fields = Array.from(inner.fields.values(), (field, i) =>
      relocatedField(field, reported[i + 2] ?? -1, result),
    );
    const [bytes = 0, alignment = 0] = reported;
    if (!isPossible(fields, bytes, alignment)) reject(inner, reported);
    const agrees =
      reported.join() === expectedNumbers(inner).join() &&
      fields.every(({ type }, i) => type === [...inner.fields.values()][i]?.type);
    result.set(
      inner.name,
      agrees ? inner : new StructType(inner.name, { fields, bytes, alignment, packed: inner.packed }),
    );
  }
  return result.get(struct.name) as StructType;
}

function relocatedField(field: StructField, offset: number, result: ReadonlyMap<string, StructType>): StructField {
  const type = field.type instanceof StructType ? (result.get(field.type.name) ?? field.type) : field.type;
  const bytes = field.shape.reduce((product, extent) => product * extent, type.itemSize);
  return Object.freeze({ ...field, type, offset, bytes });
}

/** Returns whether the fields are in order, do not overlap, and fit into the struct, whose size is aligned. */
function isPossible(fields: readonly StructField[], bytes: number, alignment: number): boolean {
  let end = 0;
  for (const field of fields) {
    if (!Number.isSafeInteger(field.offset) || field.offset < end) return false;
    end = field.offset + field.bytes;
  }
  return end <= bytes && alignment > 0 && Number.isInteger(Math.log2(alignment)) && bytes % alignment === 0;
}
