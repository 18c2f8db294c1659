/** A bar chart with a logarithmic axis. */
import { logAxis, majorTicks, minorTicks } from "./log-axis.js";
import { element, picture, textAt } from "./svg.js";

/** Contents of a bar chart. */
export interface Bars {
  readonly title: string;
  readonly subtitle: string;
  readonly label: string;
  format(value: number): string;
  readonly bars: readonly { readonly name: string; readonly value: number }[];
}

const width = 860;
const left = 200;
const right = 780;
const top = 64;
const step = 32;

/** Draws the chart as SVG. */
export function drawBars({ title, subtitle, label, format, bars }: Bars): string {
  const bottom = top + Math.max(1, bars.length) * step;
  const height = bottom + 60;
  const axis = logAxis(
    bars.map(({ value }) => value),
    10,
    left,
    right,
  );
  const line = (value: number, kind: string): string =>
    element("line", { class: kind, x1: axis.position(value), x2: axis.position(value), y1: top, y2: bottom });
  const ticks = majorTicks(axis, 10);
  return picture(
    width,
    height,
    `${title}: ${subtitle}`,
    element("rect", { class: "back", x: 0, y: 0, width, height }),
    textAt(20, 26, title, { class: "title" }),
    textAt(20, 46, subtitle, { class: "faint small" }),
    ...minorTicks(axis).map((value) => line(value, "fine")),
    ...ticks.map((value) => line(value, "grid")),
    ...ticks.map((value) =>
      textAt(axis.position(value), bottom + 18, format(value), { "text-anchor": "middle", class: "small" }),
    ),
    textAt((left + right) / 2, bottom + 42, label, { "text-anchor": "middle" }),
    ...bars.flatMap(({ name, value }, i) => {
      const y = top + i * step + 6;
      const end = axis.position(Math.max(value, axis.from));
      return [
        textAt(left - 10, y + 14, name, { "text-anchor": "end" }),
        element("rect", { class: "f0", x: left, y, width: Math.max(1, end - left), height: step - 12 }),
        textAt(end + 6, y + 14, format(value), { class: "small" }),
      ];
    }),
  );
}
