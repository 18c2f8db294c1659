/** The check of every function that takes a result. */
import { typeError } from "@cl/base";

import { isCharacteristics } from "../cache/validate.js";
import type { Characteristics } from "../measure/characteristics.js";

/** A whole result of `characterize`, or an error that names the argument. */
export function checkCharacteristics(value: unknown, name: string): Characteristics {
  if (!isCharacteristics(value)) throw typeError(name, "what characterize answers", value);
  return value;
}
