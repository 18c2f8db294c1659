/**
 * Lets a line that is written over stand below what else is written to the same terminal. While it is on, the streams have
 * a `write` of ours, which takes the line away before and has it written again after, once the cursor is at the beginning of
 * a line.
 */
import type { ProgressStream } from "./progress-options.js";

type Write = (this: ProgressStream, ...args: unknown[]) => unknown;

/** Stands before some streams. */
export class LineGuard {
  readonly #undo: (() => void)[] = [];
  readonly #hide: () => void;
  readonly #show: () => void;
  #own = false;
  #on = true;
  #atLineStart = true;

  constructor(streams: readonly ProgressStream[], hide: () => void, show: () => void) {
    this.#hide = hide;
    this.#show = show;
    for (const stream of new Set(streams)) this.#stand(stream);
  }

  /** False while somebody else's line has no end yet. */
  get atLineStart(): boolean {
    return this.#atLineStart;
  }

  /** Writes what the guard is not to hear of. */
  write(stream: ProgressStream, text: string): void {
    this.#own = true;
    try {
      stream.write(text);
    } finally {
      this.#own = false;
    }
  }

  /** Gives the streams back their own `write`. */
  release(): void {
    this.#on = false;
    for (const undo of this.#undo.splice(0)) undo();
  }

  #stand(stream: ProgressStream): void {
    // oxlint-disable-next-line no-this-alias -- the function below has the stream as its `this`
    const guard = this;
    const original = stream.write as Write;
    const had = Object.hasOwn(stream, "write");
    const ours: Write = function (...args) {
      if (!guard.#on || guard.#own) return original.apply(this, args);
      guard.#hide();
      const result = original.apply(this, args);
      guard.#atLineStart = endsLine(args[0], guard.#atLineStart);
      if (guard.#atLineStart) guard.#show();
      return result;
    };
    const writable = stream as { write: unknown };
    writable.write = ours;
    this.#undo.push(() => {
      // Somebody may have put another one over ours, which then stays and does nothing.
      if (stream.write !== ours) return;
      if (had) writable.write = original;
      else delete (stream as { write?: unknown }).write;
    });
  }
}

function endsLine(chunk: unknown, before: boolean): boolean {
  if (typeof chunk === "string") return chunk === "" ? before : chunk.endsWith("\n");
  if (chunk instanceof Uint8Array) return chunk.length === 0 ? before : chunk.at(-1) === 10;
  return before;
}
