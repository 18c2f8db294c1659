/** A progress line on terminals; other outputs receive nothing. */
import type { Output } from "./io.js";

const drawEvery = 100;
const barWidth = 24;

/** A progress bar that overwrites itself and is cleared at the end. */
export class ProgressLine {
  readonly #output: Output;
  #drawn = -Infinity;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Shows the completed fraction, from 0 to 1, and the current task. */
  update(fraction: number, text: string): void {
    const now = performance.now();
    if (!this.#output.live || now - this.#drawn < drawEvery) return;
    this.#drawn = now;
    const full = Math.floor(fraction * barWidth);
    const bar = `${"█".repeat(full)}${"░".repeat(barWidth - full)}`;
    const percent = String(Math.floor(fraction * 100)).padStart(3);
    // A line that wraps could not be overwritten as a whole.
    const line = `${percent} % ${bar} ${text}`.slice(0, this.#output.width - 1);
    this.#output.write(`\r${line}\u001B[K`);
  }

  /** Clears the line. */
  end(): void {
    if (this.#drawn !== -Infinity) this.#output.write("\r\u001B[K");
  }
}
