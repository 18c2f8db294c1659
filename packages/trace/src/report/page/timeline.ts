/** The canvas of the timeline: handles its size, redraws on changes, and maps points to items. */
import { themeColors } from "./colors.js";
import { drawTimeline } from "./draw.js";
import { axisHeight, gutterWidth, layoutOf } from "./layout.js";
import { indexAt } from "./level-of-detail.js";
import type { State } from "./state.js";
import type { Range } from "./viewport.js";

/** The item at a point of the timeline. */
export interface Hit {
  readonly time: number;
  /** Row index, or -1. */
  readonly row: number;
  /** Index in the row, or -1. */
  readonly index: number;
}

export class Timeline {
  readonly canvas: HTMLCanvasElement;
  readonly #state: State;
  readonly #layout;
  readonly #context: CanvasRenderingContext2D;
  #colors = themeColors();
  #width = 0;
  #ratio = 0;
  #frame = 0;
  #focused = -1;
  #selecting: Range | undefined;

  constructor(canvas: HTMLCanvasElement, state: State) {
    this.canvas = canvas;
    this.#state = state;
    this.#layout = layoutOf(state.data);
    this.#context = canvas.getContext("2d") as CanvasRenderingContext2D;
    new ResizeObserver(() => this.redraw()).observe(canvas.parentElement as HTMLElement);
    state.listen((change) => {
      if (change === "theme") this.#colors = themeColors();
      if (change === "selected" && state.selected >= 0) {
        this.#scrollIntoView(state.data.commands.row[state.selected] as number);
      }
      this.redraw();
    });
    canvas.parentElement?.addEventListener("scroll", () => this.redraw());
    this.redraw();
  }

  /** Left edge of the rows. */
  get gutter(): number {
    return gutterWidth(this.#width);
  }

  /** Width of the rows. */
  get room(): number {
    return Math.max(1, this.#width - this.gutter);
  }

  /** Row with the keyboard focus, or -1. */
  get focused(): number {
    return this.#focused;
  }

  set focused(row: number) {
    this.#focused = row;
    this.#scrollIntoView(row);
    this.redraw();
  }

  set selecting(range: Range | undefined) {
    this.#selecting = range;
    this.redraw();
  }

  /** Returns the time at an x coordinate of the canvas. */
  timeAt(x: number): number {
    const { from, to } = this.#state.view;
    return from + ((x - this.gutter) / this.room) * (to - from);
  }

  /** Returns the item at a point of the canvas. */
  hit(x: number, y: number): Hit {
    const time = this.timeAt(x);
    const row = this.#layout.rows.findIndex(({ top, height }) => y >= top - 1 && y <= top + height + 1);
    const placed = this.#layout.rows[row];
    if (placed === undefined || x < this.gutter) return { time, row: -1, index: -1 };
    const reach = (4 / this.room) * (this.#state.view.to - this.#state.view.from);
    return { time, row, index: indexAt(placed.item, time, reach) };
  }

  /** Redraws in the next frame. */
  redraw(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #scrollIntoView(row: number): void {
    const placed = this.#layout.rows[row];
    const box = this.canvas.parentElement as HTMLElement;
    if (placed === undefined) return;
    const { top, height } = placed;
    if (top - axisHeight < box.scrollTop) box.scrollTop = top - axisHeight - height;
    else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + 2 * height - box.clientHeight;
  }

  #draw(): void {
    this.#resize();
    const rectangles = drawTimeline({
      context: this.#context,
      width: this.#width,
      gutter: this.gutter,
      layout: this.#layout,
      state: this.#state,
      colors: this.#colors,
      focused: document.activeElement === this.canvas ? this.#focused : -1,
      scrolled: (this.canvas.parentElement as HTMLElement).scrollTop,
      selecting: this.#selecting,
    });
    // Exposes the state for tests.
    const { from, to } = this.#state.view;
    Object.assign(this.canvas.dataset, { from, to, rectangles, selected: this.#state.selected });
  }

  #resize(): void {
    const width = (this.canvas.parentElement as HTMLElement).clientWidth;
    const { height } = this.#layout;
    // Browsers limit the canvas size: reduce the resolution if there are very many rows.
    const ratio = Math.min(devicePixelRatio, 16_000 / height);
    if (width === this.#width && ratio === this.#ratio) return;
    this.#width = width;
    this.#ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }
}
