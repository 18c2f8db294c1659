/** Script of the report page. Runs when the page is parsed, and needs no other files. */
import { formatTime } from "@cl/base/units";
import type { PageData } from "../page-data.js";
import { showDetails, showTip } from "./details.js";
import { byId } from "./dom.js";
import { showHistogram } from "./histogram.js";
import { showKernels } from "./kernels.js";
import { useKeyboard } from "./keyboard.js";
import { showOverview } from "./overview.js";
import { usePointer } from "./pointer.js";
import { State } from "./state.js";
import { showTable } from "./table.js";
import { useTheme } from "./theme.js";
import { exactTime } from "./ticks.js";
import { Timeline } from "./timeline.js";
import { timelineData } from "./timeline-data.js";
import { zoomed } from "./viewport.js";

const data = JSON.parse(byId("data", HTMLScriptElement).textContent) as PageData;
const state = new State(timelineData(data));
const status = byId("status", HTMLElement);
const announce = (text: string): void => {
  status.textContent = text;
};

useTheme(state);
const timeline = new Timeline(byId("timeline", HTMLCanvasElement), state);
useKeyboard(timeline, state, announce);
usePointer(timeline, state, showTip(state));
showOverview(byId("overview", HTMLCanvasElement), state, timeline);
showDetails(state, announce);
showKernels(state);
showHistogram(state);
showTable(state, data.rows, announce);
useButtons();
document.documentElement.classList.add("ready");

/** Handles the zoom buttons and shows the visible range. */
function useButtons(): void {
  const zoom = (factor: number): void => {
    const { from, to } = state.target;
    state.show(zoomed(state.target, factor, (from + to) / 2, state.limits), true);
  };
  byId("zoom-in", HTMLButtonElement).addEventListener("click", () => zoom(0.5));
  byId("zoom-out", HTMLButtonElement).addEventListener("click", () => zoom(2));
  byId("zoom-all", HTMLButtonElement).addEventListener("click", () => state.show(state.limits, true));
  const range = byId("range", HTMLElement);
  const showRange = (): void => {
    const { from, to } = state.view;
    range.textContent = `${formatTime(to - from)} from ${exactTime(Math.max(0, Math.round(from)))}`;
  };
  state.listen((change) => {
    if (change === "view") showRange();
  });
  showRange();
}
