/** The overview above the timeline: utilization of the queues over the whole trace, and the visible range. */
import { themeColors } from "./colors.js";
import { shareBetween } from "./level-of-detail.js";
import type { State } from "./state.js";
import type { Timeline } from "./timeline.js";
import { clamped } from "./viewport.js";

const height = 40;

/** Draws the overview. The pointer moves the visible range; keyboard users use the timeline. */
export function showOverview(canvas: HTMLCanvasElement, state: State, timeline: Timeline): void {
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  let colors = themeColors();
  let frame = 0;
  let shares: Float64Array = new Float64Array(0);

  const draw = (): void => {
    const { clientWidth: width } = canvas.parentElement as HTMLElement;
    const { gutter } = timeline;
    const room = Math.max(1, width - gutter);
    if (canvas.width !== Math.round(width * devicePixelRatio)) {
      canvas.width = Math.round(width * devicePixelRatio);
      canvas.height = Math.round(height * devicePixelRatio);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
      shares = busyShares(state, Math.ceil(room));
    }
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.fillStyle = colors.stripe;
    context.fillRect(gutter, 0, room, height);
    context.fillStyle = colors.muted;
    context.globalAlpha = 0.55;
    for (const [x, share] of shares.entries()) {
      if (share > 0) context.fillRect(gutter + x, height - Math.max(1, share * (height - 4)), 1, height);
    }
    context.globalAlpha = 1;
    const { limits, view } = state;
    const xOf = (time: number): number => gutter + ((time - limits.from) / (limits.to - limits.from)) * room;
    const [from, to] = [xOf(view.from), Math.max(xOf(view.from) + 3, xOf(view.to))];
    context.globalAlpha = 0.14;
    context.fillStyle = colors.accent;
    context.fillRect(from, 0, to - from, height);
    context.globalAlpha = 1;
    context.strokeStyle = colors.accent;
    context.lineWidth = 1.5;
    context.strokeRect(from + 0.75, 0.75, to - from - 1.5, height - 1.5);
    context.font = `12px ${colors.font}`;
    context.fillStyle = colors.muted;
    context.textBaseline = "middle";
    context.fillText("overview", 10, height / 2, gutter - 14);
  };
  const redraw = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  };
  state.listen((change) => {
    if (change === "theme") colors = themeColors();
    redraw();
  });
  new ResizeObserver(redraw).observe(canvas.parentElement as HTMLElement);

  const move = (event: PointerEvent): void => {
    const { limits, target } = state;
    const room = canvas.clientWidth - timeline.gutter;
    const middle = limits.from + ((event.offsetX - timeline.gutter) / room) * (limits.to - limits.from);
    const half = (target.to - target.from) / 2;
    state.show(clamped({ from: middle - half, to: middle + half }, limits));
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    move(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (canvas.hasPointerCapture(event.pointerId)) move(event);
  });
}

/** Returns the utilization of the busiest queue for each pixel. */
function busyShares({ data, limits }: State, pixels: number): Float64Array {
  const rows = data.rows.filter(({ kind }) => kind === "command");
  const step = (limits.to - limits.from) / pixels;
  return Float64Array.from({ length: pixels }, (_, x) => {
    const from = limits.from + x * step;
    return rows.reduce((max, row) => Math.max(max, shareBetween(row, from, from + step)), 0);
  });
}
