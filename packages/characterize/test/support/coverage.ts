/** Items of each work-item of a shape, computed independently of launchShape. */
import type { LaunchShape } from "@cl/characterize";

/** Yields the items of a work-item, in the order of the loops in shaped-source.ts. */
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

/** Returns the work-item that processes an item, or undefined. */
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
