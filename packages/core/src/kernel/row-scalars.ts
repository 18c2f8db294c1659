/** The numbers of a bound kernel's `launchRows`: a row for each launch, a column for each argument. */
import { checkInstance, type ScalarType, typeError, wrongValue } from "@cl/base";

import { fitsScalar, scalarError } from "../dtype/scalar-value.js";

/** A column: the argument that its numbers go to. */
export interface RowColumn {
  readonly index: number;
  readonly scalar: ScalarType;
  /** For errors. */
  readonly words: string;
}

/** The columns, after a look whether the rows are whole ones. */
export function rowColumns(
  parameters: unknown,
  rows: unknown,
  columnOf: (parameter: number | string, name: string) => RowColumn,
): readonly RowColumn[] {
  if (!Array.isArray(parameters)) {
    throw typeError("parameters", "an array of positions or names of arguments", parameters);
  }
  const given = parameters as readonly (number | string)[];
  const columns = given.map((one, i) => columnOf(one, `parameters[${i}]`));
  if (columns.length === 0) throw wrongValue("parameters must name an argument at least");
  for (const [i, { index, words }] of columns.entries()) {
    if (columns.findIndex((other) => other.index === index) < i) throw wrongValue(`parameters names ${words} twice`);
  }
  const { length } = checkInstance(rows, Float64Array, "rows");
  if (length % columns.length !== 0) {
    throw wrongValue(`rows must be whole rows of ${columns.length} numbers, received ${length} numbers`);
  }
  return columns;
}

/** Throws if a number does not fit its argument. */
export function throwMistake(columns: readonly RowColumn[], rows: Float64Array): void {
  for (const [i, value] of rows.entries()) {
    const { scalar, words } = columns[i % columns.length] as RowColumn;
    if (!fitsScalar(scalar, value)) throw scalarError(scalar, `rows[${i}] for ${words}`, value);
  }
}
