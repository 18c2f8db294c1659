/** What the parts of the page have in common: what is seen, what is selected, which kernel is chosen. */
import type { TimelineData } from "./timeline-data.js";
import { between, clamped, type Range } from "./viewport.js";

/** What has changed. */
export type Change = "view" | "selected" | "group" | "filter" | "theme";

/** The state, which tells those who listen when it changes. */
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
    // A little room at both ends, so that what begins there can be seen to begin.
    const room = (data.to - data.from) * 0.01;
    this.limits = { from: data.from - room, to: data.to + room };
    this.#view = this.#target = this.limits;
  }

  /** What is seen. */
  get view(): Range {
    return this.#view;
  }

  /** What will be seen when all movement has ended. */
  get target(): Range {
    return this.#target;
  }

  /** The place of the selected command, or -1. */
  get selected(): number {
    return this.#selected;
  }

  /** The chosen group, or -1. */
  get group(): number {
    return this.#group;
  }

  /** What names have to contain, in lower case. */
  get filter(): string {
    return this.#filter;
  }

  /** Calls back after each change. */
  listen(callback: (change: Change) => void): void {
    this.#listeners.push(callback);
  }

  /** Tells all of a change. */
  tell(change: Change): void {
    for (const callback of this.#listeners) callback(change);
  }

  /** Shows another part, at once or in a short movement. */
  show(range: Range, smoothly = false): void {
    this.#target = clamped(range, this.limits);
    cancelAnimationFrame(this.#frame);
    if (!smoothly || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#view = this.#target;
      this.tell("view");
      return;
    }
    const [from, to, start] = [this.#view, this.#target, performance.now()];
    const move = (now: number): void => {
      const progress = Math.min(1, Math.max(0, (now - start) / 160));
      this.#view = progress === 1 ? to : between(from, to, 1 - (1 - progress) ** 3);
      if (progress < 1) this.#frame = requestAnimationFrame(move);
      this.tell("view");
    };
    this.#frame = requestAnimationFrame(move);
  }

  /** Selects a command, or none with -1. */
  select(place: number): void {
    this.#selected = place;
    this.tell("selected");
  }

  /** Chooses a group, or none with -1. */
  choose(group: number): void {
    this.#group = group;
    this.tell("group");
  }

  /** Leaves in lists only what contains some text. */
  narrow(text: string): void {
    this.#filter = text.trim().toLowerCase();
    this.tell("filter");
  }

  /** The group of a command. */
  groupOf(place: number): number {
    const { form, groupOf } = this.data.commands;
    return groupOf[form[place] as number] as number;
  }
}
