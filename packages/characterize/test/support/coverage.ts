/** Which items the work-items of a shape take, by what its form means and not by how it was made. */
import type { LaunchShape } from "@cl/characterize";

/** The items of one work-item, as the loops in shaped-source.ts run. */
export function* itemsOf(shape: LaunchShape, workItem: number): Generator<number> {
  const { n, form, global, itemsPerWorkItem, vectorWidth } = shape;
  switch (form) {
    case "single":
      if (workItem < n) yield workItem;
      return;
    case "chunk":
      for (let k = 0; k < itemsPerWorkItem; k++) {
        const i = workItem * itemsPerWorkItem + k;
        if (i < n) yield i;
      }
      return;
    case "grid-stride": {
      const whole = Math.floor(n / vectorWidth);
      for (let vector = workItem; vector < whole; vector += global) {
        for (let k = 0; k < vectorWidth; k++) yield vector * vectorWidth + k;
      }
      for (let i = whole * vectorWidth + workItem; i < n; i += global) yield i;
      return;
    }
    default:
      form satisfies never;
  }
}

/** The one work-item that takes an item; undefined if none does. */
export function ownerOf(shape: LaunchShape, item: number): number | undefined {
  const { n, form, global, itemsPerWorkItem, vectorWidth } = shape;
  const whole = n - (n % vectorWidth);
  const owner = {
    single: item,
    chunk: Math.floor(item / itemsPerWorkItem),
    "grid-stride": global === 0 ? 0 : (item < whole ? Math.floor(item / vectorWidth) : item - whole) % global,
  }[form];
  return owner < global ? owner : undefined;
}
