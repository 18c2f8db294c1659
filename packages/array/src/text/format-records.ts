/** Text of structs and vectors: each field has the same width in all elements. */
import { type DType, type DTypeValue, StructType, type StructValue } from "@cl/core";
import type { DTypeName } from "../types/dtype-name.js";
import { formatElements, type NumberFormat } from "./format-elements.js";

/** The text of each element. */
export function formatRecords(values: readonly DTypeValue[], type: DType, how: NumberFormat): readonly string[] {
  const inner = { ...how, alone: false };
  if (type instanceof StructType) {
    const fields = Array.from(type.fields.values(), ({ name, type: own, shape }) => {
      const column = values.map((value) => (value as StructValue)[name] as DTypeValue);
      return formatLists(column, own, shape, inner);
    });
    const only = fields.length === 1 ? "," : "";
    return values.map((_, i) => `(${fields.map((texts) => texts[i] as string).join(", ")}${only})`);
  }
  if (type.kind === "vector") return formatLists(values, type.base, [type.width], inner);
  return formatElements(values, type.name as DTypeName, how);
}

/** Elements that are lists of a shape. */
function formatLists(
  values: readonly DTypeValue[],
  type: DType,
  shape: readonly number[],
  how: NumberFormat,
): readonly string[] {
  if (shape.length === 0) return formatRecords(values, type, how);
  const [, ...rest] = shape;
  const lists = values as readonly (readonly DTypeValue[])[];
  const texts = formatLists(lists.flat() as readonly DTypeValue[], type, rest, how);
  let at = 0;
  return lists.map((list) => `[${list.map(() => texts[at++] as string).join(", ")}]`);
}
