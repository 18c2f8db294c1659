/** Histogram of a kernel's durations. */
import { percentile } from "../../model/percentile.js";
import { formatCount, formatTime } from "@cl/base/units";
import { binCount, bins } from "./bins.js";
import { groupColor } from "./colors.js";
import { byId, element, svg } from "./dom.js";
import type { State } from "./state.js";
import { ticks } from "./ticks.js";

const [height, top, bottom] = [240, 20, 30];

/** Shows the durations of the chosen kernel, by default of the first. */
export function showHistogram(state: State): void {
  const container = byId("histogram", HTMLElement);
  const title = byId("histogram-name", HTMLElement);
  const scale = byId("histogram-scale", HTMLButtonElement);
  let choice: boolean | undefined;
  let width = 0;
  const show = (): void => {
    const group = Math.max(0, state.group);
    const durations = durationsOf(state, group);
    const logarithmic = choice ?? hasOutliers(durations);
    scale.setAttribute("aria-pressed", String(logarithmic));
    title.textContent = state.data.groups[group]?.label ?? "";
    container.replaceChildren(...content(durations, { width, logarithmic, color: groupColor(group) }));
  };
  scale.addEventListener("click", () => {
    choice = scale.getAttribute("aria-pressed") !== "true";
    show();
  });
  state.listen((change) => {
    if (change === "group") show();
  });
  // Redraw instead of scaling the SVG, which would scale its text.
  new ResizeObserver(() => {
    if (container.clientWidth === width) return;
    width = container.clientWidth;
    show();
  }).observe(container);
}

interface HistogramOptions {
  readonly width: number;
  readonly logarithmic: boolean;
  readonly color: string;
}

/** Whether there are outliers, which would compress all other values into one bar of a linear axis. */
function hasOutliers(durations: Float64Array): boolean {
  return (durations.at(-1) ?? 0) > 8 * percentile(durations, 0.5);
}

/** Returns the sorted durations of a group's commands that did not fail, or of its host steps. */
function durationsOf({ data }: State, group: number): Float64Array {
  const { count, form, groupOf, started, ended, failed } = data.commands;
  const durations: number[] = [];
  for (let id = 0; id < count; id++) {
    if (groupOf[form[id] as number] !== group || failed.has(id)) continue;
    durations.push((ended[id] as number) - (started[id] as number));
  }
  for (const row of data.rows) {
    if (row.kind !== "span") continue;
    for (const [index, itemGroup] of row.group.entries()) {
      if (itemGroup === group) durations.push((row.ended[index] as number) - (row.started[index] as number));
    }
  }
  return Float64Array.from(durations).sort();
}

function content(durations: Float64Array, { width, logarithmic, color }: HistogramOptions): Node[] {
  if (durations.length === 0) return [element("p", { class: "muted" }, "The trace contains no run of this kernel.")];
  const { edges, counts } = bins(durations, binCount(durations.length), logarithmic);
  const maxCount = counts.reduce((highest, count) => Math.max(highest, count), 0);
  const [first, last] = [edges[0] as number, edges.at(-1) as number];
  const position = logarithmic
    ? (value: number): number => Math.log(Math.max(value, first) / first) / Math.log(last / first)
    : (value: number): number => (value - first) / (last - first);
  const xOf = (value: number): number => Math.min(width - 1, Math.max(1, width * position(value)));
  const floor = height - bottom;
  const yOf = (count: number): number => floor - ((floor - top) * count) / maxCount;

  const marks = [
    ["median", percentile(durations, 0.5), "end"],
    ["p95", percentile(durations, 0.95), "start"],
  ] as const;
  const range = `${formatTime(durations[0] as number)} to ${formatTime(durations.at(-1) as number)}`;
  const quantiles = marks.map(([name, value]) => `${name} ${formatTime(value)}`).join(", ");
  const runs = durations.length === 1 ? "1 run" : `${formatCount(durations.length)} runs`;
  const description = `${runs} of ${range}; ${quantiles}; highest bar: ${formatCount(maxCount)}`;
  const chart = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": description });

  for (const { x, label, anchor } of axisMarks(first, last, { width, logarithmic }, xOf)) {
    chart.append(svg("line", { x1: x, x2: x, y1: top, y2: floor + 5, class: "grid" }));
    chart.append(svg("text", { x, y: floor + 20, "text-anchor": anchor }, label));
  }
  for (const [bin, count] of counts.entries()) {
    if (count === 0) continue;
    const [x, right] = [xOf(edges[bin] as number), xOf(edges[bin + 1] as number)];
    const between = `${formatTime(edges[bin] as number)} to ${formatTime(edges[bin + 1] as number)}`;
    // Keep bars with few values visible.
    const y = Math.min(yOf(count), floor - 1.5);
    const bar = { x, y, width: Math.max(1, right - x - 1), height: floor - y, rx: 1 };
    const shape = svg("rect", bar, svg("title", {}, `${formatCount(count)} of ${between}`));
    shape.style.fill = color;
    chart.append(shape);
  }
  chart.append(svg("line", { x1: 0, x2: width, y1: floor, y2: floor, class: "axis" }));
  let labelEnd = Number.NEGATIVE_INFINITY;
  // Lines first, so that none crosses a label.
  const labels: Element[] = [];
  for (const [name, value, anchor] of marks) {
    const x = xOf(value);
    chart.append(svg("line", { x1: x, x2: x, y1: 4, y2: floor, class: "mark" }));
    // Move the label to the other side if there is no room, and below the previous one if they overlap.
    const side = x < 60 ? "start" : x > width - 60 ? "end" : anchor;
    const left = side === "end" ? x - 50 : x;
    const y = left < labelEnd ? 28 : 14;
    labelEnd = left + 50;
    labels.push(svg("text", { x: side === "end" ? x - 5 : x + 5, y, "text-anchor": side, class: "name" }, name));
  }
  chart.append(...labels);
  return [chart, element("p", { class: "muted" }, description)];
}

interface AxisMark {
  readonly x: number;
  readonly label: string;
  readonly anchor: "start" | "middle" | "end";
}

function axisMarks(
  first: number,
  last: number,
  { width, logarithmic }: { width: number; logarithmic: boolean },
  xOf: (value: number) => number,
): AxisMark[] {
  if (logarithmic) {
    return [
      { x: 1, label: formatTime(first), anchor: "start" },
      { x: width / 2, label: formatTime(Math.sqrt(first * last)), anchor: "middle" },
      { x: width - 1, label: formatTime(last), anchor: "end" },
    ];
  }
  const { marks, base } = ticks(first, last, width / 90);
  const labeled = marks.map(({ time, label }) => ({ x: xOf(time), label: base === "" ? label : `${base} ${label}` }));
  return labeled.filter(({ x }) => x > 30 && x < width - 30).map((mark) => ({ ...mark, anchor: "middle" }));
}
