/** Shared state of the page: the visible range, the selected command, the chosen kernel. */
import type { TimelineData } from "./timeline-data.js";
import { between, clamped, type Range } from "./viewport.js";

/** Kind of a change. */
export type Change = "view" | "selected" | "group" | "filter" | "theme";

/** State that notifies listeners of changes. */
export class State {
  readonly data: TimelineData;
  readonly limits: Range;
  #view: Range;
  #target: Range;
  #selected = -1;
  #group = -1;
  #filter = "";
  #frame = 0;
  readonly #listeners: ((change: Change) => void)[] = [];

  constructor(data: TimelineData) {
    this.data = data;
    // Margins, so that starts and ends are visible.
    const room = (data.to - data.from) * 0.01;
    this.limits = { from: data.from - room, to: data.to + room };
    this.#view = this.#target = this.limits;
  }

  /** Visible range. */
  get view(): Range {
    return this.#view;
  }

  /** Visible range after the current animation. */
  get target(): Range {
    return this.#target;
  }

  /** Index of the selected command, or -1. */
  get selected(): number {
    return this.#selected;
  }

  /** Chosen group, or -1. */
  get group(): number {
    return this.#group;
  }

  /** Text that names must contain, in lower case. */
  get filter(): string {
    return this.#filter;
  }

  /** Adds a listener. */
  listen(callback: (change: Change) => void): void {
    this.#listeners.push(callback);
  }

  /** Notifies all listeners. */
  notify(change: Change): void {
    for (const callback of this.#listeners) callback(change);
  }

  /** Shows a range, immediately or with a short animation. */
  show(range: Range, smoothly = false): void {
    this.#target = clamped(range, this.limits);
    cancelAnimationFrame(this.#frame);
    if (!smoothly || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#view = this.#target;
      this.notify("view");
      return;
    }
    const [from, to, start] = [this.#view, this.#target, performance.now()];
    const move = (now: number): void => {
      const progress = Math.min(1, Math.max(0, (now - start) / 160));
      this.#view = progress === 1 ? to : between(from, to, 1 - (1 - progress) ** 3);
      if (progress < 1) this.#frame = requestAnimationFrame(move);
      this.notify("view");
    };
    this.#frame = requestAnimationFrame(move);
  }

  /** Selects a command, or none with -1. */
  select(id: number): void {
    this.#selected = id;
    this.notify("selected");
  }

  /** Chooses a group, or none with -1. */
  choose(group: number): void {
    this.#group = group;
    this.notify("group");
  }

  /** Filters lists by names that contain a text. */
  setFilter(text: string): void {
    this.#filter = text.trim().toLowerCase();
    this.notify("filter");
  }

  /** Returns the group of a command. */
  groupOf(id: number): number {
    const { form, groupOf } = this.data.commands;
    return groupOf[form[id] as number] as number;
  }
}
