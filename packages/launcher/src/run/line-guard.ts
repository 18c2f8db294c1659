/**
 * Keeps a line that is redrawn, such as a progress bar, below other output on the same terminal. While active, it replaces the
 * streams' `write`: the line is hidden before other output, and shown again once the cursor is at the start of a line.
 */
import type { ProgressStream } from "./progress-options.js";

type Write = (this: ProgressStream, ...args: unknown[]) => unknown;

/** Guards streams. */
export class LineGuard {
  readonly #undo: (() => void)[] = [];
  readonly #hide: () => void;
  readonly #show: () => void;
  #writing = false;
  #active = true;
  #atLineStart = true;

  constructor(streams: readonly ProgressStream[], hide: () => void, show: () => void) {
    this.#hide = hide;
    this.#show = show;
    for (const stream of new Set(streams)) this.#install(stream);
  }

  /** Whether the other output ended with a line break. */
  get atLineStart(): boolean {
    return this.#atLineStart;
  }

  /** Writes the guarded line, bypassing the guard. */
  write(stream: ProgressStream, text: string): void {
    this.#writing = true;
    try {
      stream.write(text);
    } finally {
      this.#writing = false;
    }
  }

  /** Restores the streams' `write`. */
  release(): void {
    this.#active = false;
    for (const undo of this.#undo.splice(0)) undo();
  }

  #install(stream: ProgressStream): void {
    // oxlint-disable-next-line no-this-alias -- the function below has the stream as its `this`
    const guard = this;
    const original = stream.write as Write;
    const hadOwnWrite = Object.hasOwn(stream, "write");
    const ours: Write = function (...args) {
      if (!guard.#active || guard.#writing) return original.apply(this, args);
      guard.#hide();
      const result = original.apply(this, args);
      guard.#atLineStart = endsLine(args[0], guard.#atLineStart);
      if (guard.#atLineStart) guard.#show();
      return result;
    };
    const writable = stream as { write: unknown };
    writable.write = ours;
    this.#undo.push(() => {
      // If other code has replaced our `write`, leave it; ours then only forwards.
      if (stream.write !== ours) return;
      if (hadOwnWrite) writable.write = original;
      else delete (stream as { write?: unknown }).write;
    });
  }
}

function endsLine(chunk: unknown, before: boolean): boolean {
  if (typeof chunk === "string") return chunk === "" ? before : chunk.endsWith("\n");
  if (chunk instanceof Uint8Array) return chunk.length === 0 ? before : chunk.at(-1) === 10;
  return before;
}
