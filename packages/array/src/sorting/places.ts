/** The payload that is permuted with the keys: nothing, their indices, or other values. */

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

/** The types of OpenCL C. */
export function placeTypes({ type, result }: PlacePlan): string {
  return `
typedef ${type} place_t;
typedef ${result} result_t;
`;
}
