/** One line on a terminal that says how far something is. Elsewhere nothing. */
import type { Output } from "./io.js";

const drawEvery = 100;
const barWidth = 24;

/** Writes over itself, and leaves nothing behind. */
export class ProgressLine {
  readonly #output: Output;
  #drawn = -Infinity;

  constructor(output: Output) {
    this.#output = output;
  }

  /** So much of 1 is done, and this is at work. */
  update(fraction: number, text: string): void {
    const now = performance.now();
    if (!this.#output.live || now - this.#drawn < drawEvery) return;
    this.#drawn = now;
    const full = Math.floor(fraction * barWidth);
    const bar = `${"█".repeat(full)}${"░".repeat(barWidth - full)}`;
    const percent = String(Math.floor(fraction * 100)).padStart(3);
    // A line that is too long would be two, and only the second be written over.
    const line = `${percent} % ${bar} ${text}`.slice(0, this.#output.width - 1);
    this.#output.write(`\r${line}\u001B[K`);
  }

  /** Takes the line away. */
  end(): void {
    if (this.#drawn !== -Infinity) this.#output.write("\r\u001B[K");
  }
}
