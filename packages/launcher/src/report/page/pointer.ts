/** The timeline by mouse, pen and fingers: drag pans, two fingers and the wheel zoom, Shift and a drag mark a range. */
import type { State } from "./state.js";
import type { Hit, Timeline } from "./timeline.js";
import { panned, zoomed } from "./viewport.js";

/** A press that moved less than this is a click. */
const still = 4;

/** Lets the pointer move the timeline and select. */
export function usePointer(
  timeline: Timeline,
  state: State,
  hover: (hit: Hit | undefined, x: number, y: number) => void,
): void {
  const { canvas } = timeline;
  const held = new Map<number, { x: number; y: number }>();
  let moved = 0;
  let markedFrom: number | undefined;

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    moved = 0;
    markedFrom = event.shiftKey && held.size === 1 ? timeline.timeAt(event.offsetX) : undefined;
    hover(undefined, 0, 0);
  });

  canvas.addEventListener("pointermove", (event) => {
    const before = held.get(event.pointerId);
    if (before === undefined) {
      hover(timeline.hit(event.offsetX, event.offsetY), event.clientX, event.clientY);
      return;
    }
    const now = { x: event.offsetX, y: event.offsetY };
    moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    if (markedFrom !== undefined) {
      const time = timeline.timeAt(now.x);
      timeline.marked = { from: Math.min(markedFrom, time), to: Math.max(markedFrom, time) };
    } else if (held.size === 2) {
      const other = Array.from(held.entries()).find(([id]) => id !== event.pointerId)?.[1] as { x: number };
      const apart = Math.max(8, Math.abs(now.x - other.x));
      const factor = Math.max(8, Math.abs(before.x - other.x)) / apart;
      state.show(zoomed(state.target, factor, timeline.timeAt((now.x + other.x) / 2), state.limits));
    } else if (moved > still) {
      state.show(panned(state.target, (before.x - now.x) / timeline.room, state.limits));
    }
    held.set(event.pointerId, now);
  });

  canvas.addEventListener("pointerup", (event) => {
    if (!held.delete(event.pointerId)) return;
    if (markedFrom !== undefined) {
      const time = timeline.timeAt(event.offsetX);
      timeline.marked = undefined;
      if (moved > still) state.show({ from: Math.min(markedFrom, time), to: Math.max(markedFrom, time) }, true);
      markedFrom = undefined;
    } else if (moved <= still) {
      select(timeline, state, timeline.hit(event.offsetX, event.offsetY));
    }
  });

  canvas.addEventListener("pointercancel", (event) => {
    held.delete(event.pointerId);
    timeline.marked = markedFrom = undefined;
  });
  canvas.addEventListener("pointerleave", () => hover(undefined, 0, 0));
  canvas.addEventListener("dblclick", (event) => {
    state.show(zoomed(state.target, 0.25, timeline.timeAt(event.offsetX), state.limits), true);
  });
  canvas.addEventListener("wheel", (event) => wheel(event, timeline, state), { passive: false });
}

function select(timeline: Timeline, state: State, { row, index }: Hit): void {
  const found = state.data.rows[row];
  if (row >= 0) timeline.focused = row;
  state.select(found?.kind === "command" && index >= 0 ? (found.places[index] as number) : -1);
}

/** The wheel scrolls the page unless the timeline is what one works with: it has the focus, or Control is held. */
function wheel(event: WheelEvent, timeline: Timeline, state: State): void {
  // Lines and pages in pixels.
  const size = [1, 16, 400][event.deltaMode] ?? 1;
  const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
  if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    event.preventDefault();
    state.show(panned(state.target, (sideways * size) / timeline.room, state.limits));
  } else if (event.ctrlKey || event.metaKey || document.activeElement === timeline.canvas) {
    event.preventDefault();
    // Pinching a touchpad comes as a wheel with Control, in small steps.
    const factor = Math.exp(event.deltaY * size * (event.ctrlKey && Math.abs(event.deltaY) < 40 ? 0.01 : 0.002));
    state.show(zoomed(state.target, factor, timeline.timeAt(event.offsetX), state.limits));
  }
}
