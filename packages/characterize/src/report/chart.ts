/** A line chart with two logarithmic axes and a legend. */
import { type LogAxis, logAxis, majorTicks, minorTicks } from "./log-axis.js";
import { element, lineColors, picture, polyline, textAt } from "./svg.js";

/** One line of a chart. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly dashed?: boolean;
  /** Whether to mark each point. */
  readonly marks?: boolean;
}

/** Contents of a chart. */
export interface Chart {
  readonly title: string;
  readonly subtitle: string;
  readonly x: ChartAxis;
  readonly y: ChartAxis;
  readonly series: readonly Series[];
}

/** Label, base and number format of an axis. */
export interface ChartAxis {
  readonly label: string;
  readonly base: 2 | 10;
  format(value: number): string;
}

const width = 860;
const height = 480;
const area = { left: 84, right: 600, top: 64, bottom: 420 } as const;

export function drawChart(chart: Chart): string {
  const points = chart.series.flatMap((series) => series.points);
  const x = logAxis(
    points.map(([value]) => value),
    chart.x.base,
    area.left,
    area.right,
  );
  const y = logAxis(
    points.map(([, value]) => value),
    chart.y.base,
    area.bottom,
    area.top,
  );
  return picture(
    width,
    height,
    `${chart.title}: ${chart.subtitle}`,
    element("rect", { class: "back", x: 0, y: 0, width, height }),
    textAt(area.left, 26, chart.title, { class: "title" }),
    textAt(area.left, 46, chart.subtitle, { class: "faint small" }),
    ...grid(x, y, chart),
    ...chart.series.flatMap((series, i) => drawSeries(series, i, x, y)),
    ...legend(chart.series),
  );
}

function grid(x: LogAxis, y: LogAxis, chart: Chart): readonly string[] {
  const vertical = (value: number, kind: string): string =>
    element("line", { class: kind, x1: x.position(value), x2: x.position(value), y1: area.top, y2: area.bottom });
  const horizontal = (value: number, kind: string): string =>
    element("line", { class: kind, x1: area.left, x2: area.right, y1: y.position(value), y2: y.position(value) });
  const [columns, rows] = [majorTicks(x, chart.x.base), majorTicks(y, chart.y.base)];
  const middle = (area.top + area.bottom) / 2;
  return [
    ...(chart.x.base === 10 ? minorTicks(x).map((value) => vertical(value, "fine")) : []),
    ...(chart.y.base === 10 ? minorTicks(y).map((value) => horizontal(value, "fine")) : []),
    ...columns.map((value) => vertical(value, "grid")),
    ...rows.map((value) => horizontal(value, "grid")),
    ...columns.map((value) =>
      textAt(x.position(value), area.bottom + 18, chart.x.format(value), { "text-anchor": "middle", class: "small" }),
    ),
    ...rows.map((value) =>
      textAt(area.left - 8, y.position(value) + 4, chart.y.format(value), { "text-anchor": "end", class: "small" }),
    ),
    polyline(
      [
        [area.left, area.top],
        [area.left, area.bottom],
        [area.right, area.bottom],
      ],
      { class: "axis", fill: "none" },
    ),
    textAt((area.left + area.right) / 2, area.bottom + 42, chart.x.label, { "text-anchor": "middle" }),
    textAt(0, 0, chart.y.label, { "text-anchor": "middle", transform: `translate(18 ${middle}) rotate(-90)` }),
  ];
}

function drawSeries(series: Series, index: number, x: LogAxis, y: LogAxis): readonly string[] {
  const places = series.points
    .filter(([a, b]) => a > 0 && b > 0 && Number.isFinite(a) && Number.isFinite(b))
    .map(([a, b]) => [x.position(a), y.position(b)] as const);
  const color = index % lineColors;
  const kind = `line c${color}${series.dashed === true ? " dashed" : ""}`;
  const marks =
    series.marks === true ? places.map(([cx, cy]) => element("circle", { class: `f${color}`, cx, cy, r: 3 })) : [];
  return [polyline(places, { class: kind }), ...marks];
}

function legend(series: readonly Series[]): readonly string[] {
  return series.flatMap(({ name, dashed }, i) => {
    const at = area.top + 8 + i * 20;
    const kind = `line c${i % lineColors}${dashed === true ? " dashed" : ""}`;
    const line = polyline(
      [
        [area.right + 16, at],
        [area.right + 40, at],
      ],
      { class: kind },
    );
    return [line, textAt(area.right + 48, at + 4, name, { class: "small" })];
  });
}
