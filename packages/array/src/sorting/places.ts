/** The payload that is permuted with the keys: nothing, their indices, or other values. */
import type { Macros } from "../kernels/macros.js";

/** A kind of places, as kernels' text depends on it. */
export interface PlacePlan {
  /** `none`; `own` for the indices along the line, from 0; `given` for elements of another array. */
  readonly kind: "none" | "own" | "given";
  /** The type in which they are moved. */
  readonly type: "uint" | "ulong";
  /** The type in which they come out. */
  readonly result: "int" | "long" | "uint" | "ulong";
}

/** Keys alone. */
export const noPlaces: PlacePlan = { kind: "none", type: "uint", result: "uint" };

/** The macros of what kernels do with places. */
export function placeMacros({ kind, type, result }: PlacePlan): Macros {
  const given = kind === "given";
  const any = kind !== "none";
  return {
    PLACE: type,
    RESULT: result,
    HAS_PLACES: any,
    HAS_GIVEN_PLACES: given,
    GIVEN_PLACES: given ? `__global const ${type} *const in_places,` : "",
    RESULTS: any ? `__global ${result} *const results,` : "",
    SPARE_PLACES: any ? `__global ${type} *const spare_places,` : "",
  };
}
