/** Draws the timeline. */
import { exactTime, ticks, type Ticks } from "./ticks.js";
import { formatBytes } from "@cl/base/units";
import { type Colors, groupColor } from "./colors.js";
import { axisHeight, type Layout, type Placed } from "./layout.js";
import { visiblePieces } from "./level-of-detail.js";
import { nameIn } from "./facts.js";
import type { State } from "./state.js";
import type { MemoryCurve, TimelineRow } from "./timeline-data.js";

/** Input of drawing. */
export interface Scene {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly gutter: number;
  readonly layout: Layout;
  readonly state: State;
  readonly colors: Colors;
  /** Row with the keyboard focus, or -1. */
  readonly focused: number;
  /** Vertical scroll position; the axis stays visible. */
  readonly scrolled: number;
  /** The range that is being selected. */
  readonly selecting: { readonly from: number; readonly to: number } | undefined;
}

/** Draws the timeline. Returns the number of rectangles for commands and spans. */
export function drawTimeline(scene: Scene): number {
  const { context, width, gutter, layout, state, colors } = scene;
  context.clearRect(0, 0, width, layout.height);
  const axis = ticks(state.view.from, state.view.to, (width - gutter) / 96);
  drawGrid(scene, axis);
  context.textBaseline = "middle";
  for (const { label, top } of layout.sections) {
    context.font = `600 11px ${colors.font}`;
    context.textAlign = "left";
    const text = cut(label, width - 20, 7);
    // The name may be wider than the gutter: no grid line crosses it.
    context.fillStyle = colors.card;
    context.fillRect(0, top + 2, 14 + context.measureText(text).width, 20);
    context.fillStyle = colors.muted;
    context.fillText(text, 10, top + 12, width - 20);
  }
  let rectangles = 0;
  for (const [index, placed] of layout.rows.entries()) {
    drawLabel(scene, placed, index === scene.focused);
    clipped(scene, placed, () => (rectangles += drawRow(scene, placed)));
  }
  for (const placed of layout.curves) {
    drawLabel(scene, placed, false);
    clipped(scene, placed, () => drawCurve(scene, placed));
  }
  context.save();
  context.beginPath();
  context.rect(gutter, 0, width - gutter, layout.height);
  context.clip();
  drawSelected(scene);
  context.restore();
  drawAxis(scene, axis);
  drawSelecting(scene);
  return rectangles;
}

/** Returns the x coordinate of a time. */
function xOf({ gutter, width, state }: Pick<Scene, "gutter" | "width" | "state">, time: number): number {
  const { from, to } = state.view;
  return gutter + ((time - from) / (to - from)) * (width - gutter);
}

function drawGrid(scene: Scene, { marks }: Ticks): void {
  const { context, layout, colors } = scene;
  context.strokeStyle = colors.line;
  for (const { time } of marks) {
    const x = Math.round(xOf(scene, time)) + 0.5;
    context.beginPath();
    context.moveTo(x, axisHeight - 4);
    context.lineTo(x, layout.height);
    context.stroke();
  }
}

function drawAxis(scene: Scene, { marks, base }: Ticks): void {
  const { context, width, gutter, colors, scrolled } = scene;
  context.fillStyle = colors.card;
  if (scrolled > 0) context.fillRect(0, scrolled, width, axisHeight);
  context.font = `11px ${colors.font}`;
  context.textBaseline = "middle";
  context.textAlign = "center";
  context.fillStyle = colors.muted;
  const y = scrolled + axisHeight / 2 - 1;
  for (const { time, label } of marks) {
    const x = xOf(scene, time);
    const half = context.measureText(label).width / 2;
    if (x - half > gutter - 4 && x + half < width) context.fillText(label, x, y);
  }
  context.textAlign = "left";
  context.fillText(base, 10, y, gutter - 14);
}

function drawLabel(scene: Scene, { item, top, height }: Placed<TimelineRow | MemoryCurve>, focused: boolean): void {
  const { context, gutter, width, colors } = scene;
  context.fillStyle = colors.stripe;
  context.fillRect(gutter, top, width - gutter, height);
  if (focused) {
    context.fillStyle = colors.accent;
    context.fillRect(2, top, 3, height);
  }
  if (height < 11) return;
  context.font = `${focused ? 600 : 400} 12px ${colors.font}`;
  context.fillStyle = colors.ink;
  context.textAlign = "left";
  context.fillText(cut(item.label, gutter - 18, 6.6), 10, top + Math.min(height, 22) / 2 + 0.5, gutter - 14);
}

/** Draws clipped to a row. */
function clipped({ context, gutter, width }: Scene, { top, height }: Placed<unknown>, draw: () => void): void {
  context.save();
  context.beginPath();
  context.rect(gutter, top, width - gutter, height);
  context.clip();
  draw();
  context.restore();
}

function drawRow(scene: Scene, { item: row, top, height }: Placed<TimelineRow>): number {
  const { context, gutter, width, state, colors } = scene;
  const { view, group: chosenGroup } = state;
  const pixel = (view.to - view.from) / (width - gutter);
  context.font = `11px ${colors.font}`;
  context.textAlign = "left";
  const character = context.measureText("kernel_name_1234").width / 16;
  let drawn = 0;
  visiblePieces(row, view.from, view.to, pixel, ({ from, to, index, count, share }) => {
    const group = row.group[index] as number;
    const x = Math.max(xOf(scene, from), gutter - 2);
    const right = Math.min(xOf(scene, to), width + 2);
    const dimmed = chosenGroup >= 0 && group !== chosenGroup;
    context.globalAlpha = (dimmed ? 0.18 : 1) * (count > 1 ? 0.35 + 0.65 * share : 1);
    context.fillStyle = groupColor(group);
    // Leave a gap between adjacent rectangles if there is room.
    const gap = right - x > 4 ? 1 : 0;
    context.fillRect(x, top, Math.max(1, right - x - gap), height);
    drawn++;
    if (count > 1 || right - x < 30 || height < 11) return;
    context.globalAlpha = dimmed ? 0.5 : 1;
    context.fillStyle = dimmed ? colors.ink : colors.onBar;
    context.fillText(cut(nameIn(state, row, index), right - x - 8, character), x + 4, top + height / 2 + 0.5);
  });
  context.globalAlpha = 1;
  drawFailures(scene, row, top, height);
  return drawn;
}

/** Draws a separate mark for each failure, so that none is hidden by other commands. */
function drawFailures(scene: Scene, { failures }: TimelineRow, top: number, height: number): void {
  const { context, colors, gutter, width } = scene;
  let last = Number.NEGATIVE_INFINITY;
  context.fillStyle = colors.failed;
  for (const started of failures) {
    const x = xOf(scene, started);
    if (x < gutter - 4 || x > width + 4 || Math.abs(x - last) < 1) continue;
    last = x;
    context.fillRect(x - 1, top, 2, height);
    context.beginPath();
    context.moveTo(x - 5, top);
    context.lineTo(x + 5, top);
    context.lineTo(x, top + 7);
    context.fill();
  }
}

function drawCurve(scene: Scene, { item, top, height }: Placed<MemoryCurve>): void {
  const { context, colors, width, gutter, state } = scene;
  const { time, bytes, max } = item;
  if (time.length === 0 || max === 0) return;
  const yOf = (amount: number): number => top + height - 1 - (amount / max) * (height - 14);
  context.beginPath();
  context.moveTo(gutter, top + height);
  let y = top + height;
  // Use the maximum per pixel, so that short peaks are visible.
  let [lastX, highest] = [-1, y];
  for (let i = 0; i < time.length; i++) {
    const x = Math.min(width, Math.max(gutter, Math.round(xOf(scene, time[i] as number))));
    const next = yOf(bytes[i] as number);
    if (x === lastX) {
      highest = Math.min(highest, next);
    } else {
      if (lastX >= 0) context.lineTo(lastX, highest);
      context.lineTo(lastX < 0 ? x : lastX, y);
      context.lineTo(x, y);
      [lastX, highest] = [x, next];
    }
    y = next;
  }
  context.lineTo(lastX, highest);
  context.lineTo(lastX, y);
  const end = Math.min(width, xOf(scene, state.data.to));
  context.lineTo(end, y);
  context.lineTo(end, top + height);
  context.fillStyle = colors.accent;
  context.globalAlpha = 0.22;
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = colors.accent;
  context.stroke();
  context.fillStyle = colors.muted;
  context.font = `11px ${colors.font}`;
  context.textAlign = "right";
  context.fillText(`max ${formatBytes(max)}`, width - 6, top + 8);
}

function drawSelected(scene: Scene): void {
  const { context, layout, state, colors } = scene;
  const { selected, data } = state;
  if (selected < 0) return;
  const { commands } = data;
  const placed = layout.rows[commands.row[selected] as number];
  if (placed === undefined) return;
  for (const other of commands.waitsFor.get(selected) ?? []) drawArrow(scene, other, selected);
  for (const other of (commands.waitedBy.get(selected) ?? []).slice(0, 200)) drawArrow(scene, selected, other);
  const [x, right] = [xOf(scene, commands.started[selected] as number), xOf(scene, commands.ended[selected] as number)];
  context.lineWidth = 2;
  context.strokeStyle = colors.ink;
  context.strokeRect(x - 1, placed.top - 1, Math.max(3, right - x + 1), placed.height + 2);
  context.lineWidth = 1;
}

/** Draws an arrow from the end of a command to the start of one that waited for it. */
function drawArrow(scene: Scene, from: number, to: number): void {
  const { context, layout, state, colors } = scene;
  const { commands } = state.data;
  const source = layout.rows[commands.row[from] as number];
  const target = layout.rows[commands.row[to] as number];
  if (source === undefined || target === undefined) return;
  const [x, y] = [xOf(scene, commands.ended[from] as number), source.top + source.height / 2];
  const [endX, endY] = [xOf(scene, commands.started[to] as number), target.top + target.height / 2];
  const bend = Math.max(16, Math.min(80, Math.abs(endX - x) / 2));
  context.strokeStyle = colors.ink;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, y);
  context.bezierCurveTo(x + bend, y, endX - bend, endY, endX, endY);
  context.stroke();
  context.lineWidth = 1;
  context.fillStyle = colors.ink;
  context.beginPath();
  context.moveTo(endX + 1, endY);
  context.lineTo(endX - 7, endY - 4);
  context.lineTo(endX - 7, endY + 4);
  context.fill();
}

function drawSelecting(scene: Scene): void {
  const { context, layout, colors, selecting, scrolled } = scene;
  if (selecting === undefined) return;
  const [x, right] = [xOf(scene, selecting.from), xOf(scene, selecting.to)];
  context.globalAlpha = 0.16;
  context.fillStyle = colors.accent;
  context.fillRect(x, 0, right - x, layout.height);
  context.globalAlpha = 1;
  context.fillStyle = colors.ink;
  context.font = `600 12px ${colors.font}`;
  context.textAlign = "center";
  context.fillText(
    exactTime(Math.round(selecting.to - selecting.from)),
    (x + right) / 2,
    scrolled + axisHeight / 2 - 1,
  );
}

/** Shortens a text to the available width. */
function cut(text: string, room: number, character: number): string {
  const max = Math.floor(room / character);
  if (text.length <= max) return text;
  return max < 2 ? "" : `${text.slice(0, max - 1)}…`;
}
