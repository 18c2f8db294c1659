/** Numbers of a bound kernel's `launchRows`: one row per launch, one column per argument. */
import { checkInstance, type ScalarType, typeError, wrongValue } from "@cl/base";

import { fitsScalar, scalarError } from "../dtype/scalar-value.js";

/** The argument that a column sets. */
export interface RowColumn {
  readonly index: number;
  readonly scalar: ScalarType;
  /** The argument's name in errors. */
  readonly displayName: string;
}

/** Returns the columns. Throws unless `rows` consists of complete rows. */
export function rowColumns(
  parameters: unknown,
  rows: unknown,
  columnOf: (parameter: number | string, name: string) => RowColumn,
): readonly RowColumn[] {
  if (!Array.isArray(parameters)) {
    throw typeError("parameters", "an array of argument positions or names", parameters);
  }
  const given = parameters as readonly (number | string)[];
  const columns = given.map((parameter, i) => columnOf(parameter, `parameters[${i}]`));
  if (columns.length === 0) throw wrongValue("parameters must name at least one argument");
  for (const [i, { index, displayName }] of columns.entries()) {
    if (columns.findIndex((other) => other.index === index) < i) {
      throw wrongValue(`parameters names ${displayName} twice`);
    }
  }
  const { length } = checkInstance(rows, Float64Array, "rows");
  if (length % columns.length !== 0) {
    throw wrongValue(`rows must consist of complete rows of ${columns.length} numbers, received ${length} numbers`);
  }
  return columns;
}

/** Throws if a number does not fit its argument. */
export function throwUnlessFitting(columns: readonly RowColumn[], rows: Float64Array): void {
  for (const [i, value] of rows.entries()) {
    const { scalar, displayName } = columns[i % columns.length] as RowColumn;
    if (!fitsScalar(scalar, value)) throw scalarError(scalar, `rows[${i}] for ${displayName}`, value);
  }
}
