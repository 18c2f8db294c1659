/** Mouse, pen and touch controls of the timeline: drag pans, pinch and wheel zoom, Shift+drag selects a range. */
import type { State } from "./state.js";
import type { Hit, Timeline } from "./timeline.js";
import { panned, zoomed } from "./viewport.js";

/** Maximum movement of a click in pixels. */
const clickTolerance = 4;

/** Handles pointer events. */
export function usePointer(
  timeline: Timeline,
  state: State,
  hover: (hit: Hit | undefined, x: number, y: number) => void,
): void {
  const { canvas } = timeline;
  const pointers = new Map<number, { x: number; y: number }>();
  let movement = 0;
  let selectionStart: number | undefined;

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    movement = 0;
    selectionStart = event.shiftKey && pointers.size === 1 ? timeline.timeAt(event.offsetX) : undefined;
    hover(undefined, 0, 0);
  });

  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) {
      hover(timeline.hit(event.offsetX, event.offsetY), event.clientX, event.clientY);
      return;
    }
    const now = { x: event.offsetX, y: event.offsetY };
    movement += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    if (selectionStart !== undefined) {
      const time = timeline.timeAt(now.x);
      timeline.selecting = { from: Math.min(selectionStart, time), to: Math.max(selectionStart, time) };
    } else if (pointers.size === 2) {
      const other = Array.from(pointers.entries()).find(([id]) => id !== event.pointerId)?.[1] as { x: number };
      const distance = Math.max(8, Math.abs(now.x - other.x));
      const factor = Math.max(8, Math.abs(before.x - other.x)) / distance;
      state.show(zoomed(state.target, factor, timeline.timeAt((now.x + other.x) / 2), state.limits));
    } else if (movement > clickTolerance) {
      state.show(panned(state.target, (before.x - now.x) / timeline.room, state.limits));
    }
    pointers.set(event.pointerId, now);
  });

  canvas.addEventListener("pointerup", (event) => {
    if (!pointers.delete(event.pointerId)) return;
    if (selectionStart !== undefined) {
      const time = timeline.timeAt(event.offsetX);
      timeline.selecting = undefined;
      if (movement > clickTolerance) {
        state.show({ from: Math.min(selectionStart, time), to: Math.max(selectionStart, time) }, true);
      }
      selectionStart = undefined;
    } else if (movement <= clickTolerance) {
      select(timeline, state, timeline.hit(event.offsetX, event.offsetY));
    }
  });

  canvas.addEventListener("pointercancel", (event) => {
    pointers.delete(event.pointerId);
    timeline.selecting = selectionStart = undefined;
  });
  canvas.addEventListener("pointerleave", () => hover(undefined, 0, 0));
  canvas.addEventListener("dblclick", (event) => {
    state.show(zoomed(state.target, 0.25, timeline.timeAt(event.offsetX), state.limits), true);
  });
  canvas.addEventListener("wheel", (event) => wheel(event, timeline, state), { passive: false });
}

function select(timeline: Timeline, state: State, { row, index }: Hit): void {
  const hitRow = state.data.rows[row];
  if (row >= 0) timeline.focused = row;
  state.select(hitRow?.kind === "command" && index >= 0 ? (hitRow.ids[index] as number) : -1);
}

/** Handles the wheel. Scrolls the page unless the timeline has the focus or Control is held. */
function wheel(event: WheelEvent, timeline: Timeline, state: State): void {
  // Convert lines and pages to pixels.
  const size = [1, 16, 400][event.deltaMode] ?? 1;
  const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
  if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    event.preventDefault();
    state.show(panned(state.target, (sideways * size) / timeline.room, state.limits));
  } else if (event.ctrlKey || event.metaKey || document.activeElement === timeline.canvas) {
    event.preventDefault();
    // Pinching a touchpad is reported as a wheel event with Control and small steps.
    const factor = Math.exp(event.deltaY * size * (event.ctrlKey && Math.abs(event.deltaY) < 40 ? 0.01 : 0.002));
    state.show(zoomed(state.target, factor, timeline.timeAt(event.offsetX), state.limits));
  }
}
