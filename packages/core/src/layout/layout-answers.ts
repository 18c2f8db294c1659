/** What a device answers about a struct's layout, and the struct that follows from it. */
import type { StructField } from "../dtype/struct-layout.js";
import { StructType } from "../dtype/struct-type.js";

/** For a struct and those inside it, by name: its size, its alignment and the offset of each field. */
export type LayoutAnswers = ReadonlyMap<string, readonly number[]>;

/** What was answered about one struct. */
export function answersOf({ name }: StructType, answers: LayoutAnswers): readonly number[] {
  return answers.get(name) ?? [];
}

/** What a device answers that agrees with us. */
export function expectedAnswers({ itemSize, alignment, fields }: StructType): readonly number[] {
  return [itemSize, alignment, ...Array.from(fields.values(), ({ offset }) => offset)];
}

/** The struct with the layout of the answers; `refuse` throws for one that cannot be. */
export function relaid(
  struct: StructType,
  answers: LayoutAnswers,
  refuse: (one: StructType, own: readonly number[]) => never,
): StructType {
  const made = new Map<string, StructType>();
  for (const one of struct.structs) {
    const own = answersOf(one, answers);
    const fields = Array.from(one.fields.values(), (field, i) => moved(field, own[i + 2] ?? -1, made));
    const [bytes = 0, alignment = 0] = own;
    if (!canBe(fields, bytes, alignment)) refuse(one, own);
    const agrees =
      own.join() === expectedAnswers(one).join() &&
      fields.every(({ type }, i) => type === [...one.fields.values()][i]?.type);
    made.set(one.name, agrees ? one : new StructType(one.name, { fields, bytes, alignment, packed: one.packed }));
  }
  return made.get(struct.name) as StructType;
}

function moved(field: StructField, offset: number, made: ReadonlyMap<string, StructType>): StructField {
  const type = field.type instanceof StructType ? (made.get(field.type.name) ?? field.type) : field.type;
  const bytes = field.shape.reduce((product, extent) => product * extent, type.itemSize);
  return Object.freeze({ ...field, type, offset, bytes });
}

/** C keeps fields in their order, apart from one another, inside the struct, and in arrays the alignment holds. */
function canBe(fields: readonly StructField[], bytes: number, alignment: number): boolean {
  let end = 0;
  for (const field of fields) {
    if (!Number.isSafeInteger(field.offset) || field.offset < end) return false;
    end = field.offset + field.bytes;
  }
  return end <= bytes && alignment > 0 && Number.isInteger(Math.log2(alignment)) && bytes % alignment === 0;
}
