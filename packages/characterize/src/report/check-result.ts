/** Checks results that are passed as arguments. */
import { typeError } from "@cl/base";

import { isCharacteristics } from "../cache/validate.js";
import type { Characteristics } from "../measure/characteristics.js";

/** Returns the value if it is a complete result of `characterize`, otherwise throws. */
export function checkCharacteristics(value: unknown, name: string): Characteristics {
  if (!isCharacteristics(value)) throw typeError(name, "a result of characterize", value);
  return value;
}
