/** Keyboard controls of the timeline. */
import { firstEndingAfter } from "./level-of-detail.js";
import type { State } from "./state.js";
import type { Timeline } from "./timeline.js";
import { panned, showing, zoomed } from "./viewport.js";

/** Handles keys while the timeline has the focus. */
export function useKeyboard(timeline: Timeline, state: State, announce: (text: string) => void): void {
  const { canvas } = timeline;
  canvas.addEventListener("focus", () => {
    if (timeline.focused < 0) timeline.focused = firstCommandRow(state);
    else timeline.redraw();
  });
  canvas.addEventListener("blur", () => timeline.redraw());
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action(timeline, state, { announce, far: event.shiftKey });
  });
}

/** Selects the previous or next command in the row and brings it into view. */
export function selectNext(state: State, direction: 1 | -1): void {
  const { commands, rows } = state.data;
  const row = rows[commands.row[state.selected] as number];
  const id = row?.ids.indexOf(state.selected);
  const next = row?.ids[(id as number) + direction];
  if (next !== undefined) reveal(state, next);
}

/** Selects a command and brings it into view. */
export function reveal(state: State, id: number): void {
  const { started, ended } = state.data.commands;
  state.select(id);
  const range = { from: started[id] as number, to: ended[id] as number };
  state.show(showing(state.target, range, state.limits), true);
}

interface ActionContext {
  readonly announce: (text: string) => void;
  readonly far: boolean;
}

type Action = (timeline: Timeline, state: State, context: ActionContext) => void;

const zoom =
  (factor: number): Action =>
  (_, state) => {
    const { from, to } = state.target;
    state.show(zoomed(state.target, factor, (from + to) / 2, state.limits), true);
  };

const pan =
  (direction: 1 | -1): Action =>
  (_, state, { far }) =>
    state.show(panned(state.target, direction * (far ? 0.9 : 0.2), state.limits), true);

const row =
  (direction: 1 | -1): Action =>
  (timeline, state, { announce }) => {
    const { rows } = state.data;
    timeline.focused = Math.min(rows.length - 1, Math.max(0, timeline.focused + direction));
    const focusedRow = rows[timeline.focused];
    if (focusedRow !== undefined) {
      announce(`${focusedRow.label}, ${focusedRow.section}, ${focusedRow.ids.length} entries`);
    }
  };

const step =
  (direction: 1 | -1): Action =>
  (timeline, state) => {
    if (state.selected < 0) selectMiddle(timeline, state);
    else selectNext(state, direction);
  };

const actions: Readonly<Record<string, Action>> = {
  ArrowLeft: pan(-1),
  ArrowRight: pan(1),
  ArrowUp: row(-1),
  ArrowDown: row(1),
  "+": zoom(0.5),
  "=": zoom(0.5),
  "-": zoom(2),
  _: zoom(2),
  "0": (_, state) => state.show(state.limits, true),
  Home: (_, state) => {
    const length = state.target.to - state.target.from;
    state.show({ from: state.limits.from, to: state.limits.from + length }, true);
  },
  End: (_, state) => {
    const length = state.target.to - state.target.from;
    state.show({ from: state.limits.to - length, to: state.limits.to }, true);
  },
  Enter: (timeline, state) => selectMiddle(timeline, state),
  ",": step(-1),
  ".": step(1),
  "[": step(-1),
  "]": step(1),
  Escape: (_, state) => {
    if (state.selected >= 0) state.select(-1);
    else state.choose(-1);
  },
};

/** Selects the command nearest to the middle of the view in the focused row. */
function selectMiddle(timeline: Timeline, state: State): void {
  const focusedRow = state.data.rows[timeline.focused];
  if (focusedRow === undefined || focusedRow.kind !== "command" || focusedRow.ids.length === 0) return;
  const middle = (state.target.from + state.target.to) / 2;
  const after = Math.min(focusedRow.ids.length - 1, firstEndingAfter(focusedRow.ended, middle));
  const before = Math.max(0, after - 1);
  const toAfter = Math.max(0, (focusedRow.started[after] as number) - middle);
  const toBefore = Math.max(0, middle - (focusedRow.ended[before] as number));
  reveal(state, focusedRow.ids[toBefore < toAfter ? before : after] as number);
}

function firstCommandRow({ data }: State): number {
  return Math.max(
    0,
    data.rows.findIndex(({ kind }) => kind === "command"),
  );
}
