/** What is allocated and released, line by line, so that it can be replayed. */
import { checkFunction, describe } from "@cl/base";
import type { Allocation, Allocator, DeviceBuffer } from "@cl/core";

import { Adaptor } from "./adaptor.js";
import { LineFile } from "./line-file.js";
import { allocatorName } from "./upstream.js";

/** The first line of a log. */
export interface LogHeader {
  readonly op: "begin";
  /** The version of the format. */
  readonly version: 1;
  /** When the log began, as ISO 8601 has it. */
  readonly started: string;
  /** The class of the allocator that is watched. */
  readonly allocator: string;
}

/** Memory was given. */
export interface LogAllocate {
  readonly op: "allocate";
  /** Names this memory in this log, counted from 1. */
  readonly id: number;
  /** The bytes that were asked for. */
  readonly bytes: number;
  /** The bytes that it has; left out where they are the same. */
  readonly size?: number;
  /** Milliseconds since the log began. */
  readonly time: number;
}

/** Memory was released, or collected. */
export interface LogRelease {
  readonly op: "release";
  readonly id: number;
  readonly time: number;
}

/** A request ended in an error. */
export interface LogFailure {
  readonly op: "fail";
  readonly bytes: number;
  /** The error's class and message. */
  readonly error: string;
  readonly time: number;
}

/** One line of a log. Programs that read logs pass over an `op` that they do not know. */
export type LogLine = LogHeader | LogAllocate | LogRelease | LogFailure;

/**
 * Writes a line of JSON for everything that is allocated and released: a {@link LogLine} each. Requests for no bytes that
 * are answered by null leave no line. The lines are what `replayTrace` reads.
 *
 * @example
 * ```ts
 * const lines: string[] = [];
 * const logged = new LogAdaptor(new DeferredAllocator(context), (line) => lines.push(line));
 * logged.allocate(4096)?.release();
 * console.log(lines[1]); // such as {"op":"allocate","id":1,"bytes":4096,"time":0.25}
 * ```
 */
export class LogAdaptor<M extends Allocation = DeviceBuffer> extends Adaptor<M> implements AsyncDisposable {
  readonly #write: (line: string) => void;
  readonly #file: LineFile | undefined;
  readonly #began: number = performance.now();
  #ids = 0;

  /** Each line goes to a function, without its end of line. Files: {@link toFile}. */
  constructor(upstream: Allocator<M>, write: (line: string) => void);
  /** @internal */
  constructor(upstream: Allocator<M>, write: (line: string) => void, file: LineFile | undefined);
  constructor(upstream: Allocator<M>, write: (line: string) => void, file?: LineFile) {
    super(upstream);
    this.#write = checkFunction(write, "write");
    this.#file = file;
    this.#say({ op: "begin", version: 1, started: new Date().toISOString(), allocator: allocatorName(upstream) });
  }

  /**
   * Logs to a file, which is replaced if it exists. Lines are written while the event loop turns, never in `allocate`.
   * Until {@link close} nothing is lost: what is not yet written when the process ends by itself, by `process.exit()` or
   * by an uncaught error is written then. A file that cannot be written any more, on a full disk say, is a process
   * warning, and `close` rejects.
   */
  static async toFile<M extends Allocation>(upstream: Allocator<M>, path: string | URL): Promise<LogAdaptor<M>> {
    const file = await LineFile.open(path);
    try {
      return new LogAdaptor<M>(upstream, (line) => file.write(line), file);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /**
   * Writes what is left and closes the file. The adaptor then still gives memory, but says no more about it. To close it
   * again does nothing.
   */
  async close(): Promise<void> {
    await this.#file?.close();
  }

  /** The same as {@link close}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  protected override provide(bytes: number): M | null {
    let memory: M | null;
    try {
      memory = this.take(bytes);
    } catch (error) {
      const what = error instanceof Error ? `${error.name}: ${error.message}` : describe(error);
      this.#say({ op: "fail", bytes, error: what, time: this.#time() });
      throw error;
    }
    if (memory === null) return null;
    const id = ++this.#ids;
    const { size } = memory;
    const time = this.#time();
    memory.onReleased(() => this.#say({ op: "release", id, time: this.#time() }));
    try {
      this.#say(size === bytes ? { op: "allocate", id, bytes, time } : { op: "allocate", id, bytes, size, time });
    } catch (error) {
      // Whoever asked will not get it.
      memory.release();
      throw error;
    }
    return memory;
  }

  /** To the microsecond. */
  #time(): number {
    return Math.round((performance.now() - this.#began) * 1000) / 1000;
  }

  #say(line: LogLine): void {
    (0, this.#write)(JSON.stringify(line));
  }
}
