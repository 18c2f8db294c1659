/** Layout of the timeline's rows. */
import type { MemoryCurve, TimelineData, TimelineRow } from "./timeline-data.js";

/** A row or curve with its position. */
export interface Placed<T> {
  readonly item: T;
  readonly top: number;
  readonly height: number;
}

/** Layout in CSS pixels. */
export interface Layout {
  readonly rows: readonly Placed<TimelineRow>[];
  readonly curves: readonly Placed<MemoryCurve>[];
  readonly sections: readonly { readonly label: string; readonly top: number }[];
  readonly height: number;
}

/** Height of the axis above the rows. */
export const axisHeight = 26;

const sectionHeight = 22;
const curveHeight = 46;

/** Stacks the rows. Rows are lower if there are many. */
export function layoutOf({ rows, memory }: TimelineData): Layout {
  const height = rows.length <= 24 ? 22 : rows.length <= 80 ? 14 : rows.length <= 1000 ? 8 : 3;
  const sections: { label: string; top: number }[] = [];
  let top = axisHeight + 4;
  let section: string | undefined;
  const begin = (label: string): void => {
    if (label === section) return;
    if (section !== undefined) top += 6;
    section = label;
    sections.push({ label, top });
    top += sectionHeight;
  };
  const placedRows = rows.map((item) => {
    begin(item.section);
    const placed = { item, top, height };
    top += height + 2;
    return placed;
  });
  const curves = memory.map((item) => {
    begin("memory");
    const placed = { item, top, height: curveHeight };
    top += curveHeight + 4;
    return placed;
  });
  return { rows: placedRows, curves, sections, height: top + 6 };
}

/** Returns the width of the label column. */
export function gutterWidth(width: number): number {
  return width < 560 ? 88 : width < 900 ? 110 : 150;
}
