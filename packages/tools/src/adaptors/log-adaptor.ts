/** An allocator adaptor that logs allocations and releases, for later replay. */
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
  /** Start time of the log in ISO 8601. */
  readonly started: string;
  /** Class name of the logged allocator. */
  readonly allocator: string;
}

/** A successful allocation. */
export interface LogAllocate {
  readonly op: "allocate";
  /** Number of the allocation in this log, starting at 1. */
  readonly id: number;
  /** Requested bytes. */
  readonly bytes: number;
  /** Actual size; omitted if equal to `bytes`. */
  readonly size?: number;
  /** Milliseconds since the start of the log. */
  readonly time: number;
}

/** The release or garbage collection of an allocation. */
export interface LogRelease {
  readonly op: "release";
  readonly id: number;
  readonly time: number;
}

/** A failed request. */
export interface LogFailure {
  readonly op: "fail";
  readonly bytes: number;
  /** Class and message of the error. */
  readonly error: string;
  readonly time: number;
}

/** One line of a log. Readers must ignore lines with an unknown `op`. */
export type LogLine = LogHeader | LogAllocate | LogRelease | LogFailure;

/**
 * Logs each allocation, release and failure as one line of JSON, a {@link LogLine}. Requests for 0 bytes that return
 * `null` are not logged. `replayTrace` replays such a log.
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
  readonly #start: number = performance.now();
  #lastId = 0;

  /** Passes each line, without its line break, to `write`. To log to a file, use {@link toFile}. */
  constructor(upstream: Allocator<M>, write: (line: string) => void);
  /** @internal */
  constructor(upstream: Allocator<M>, write: (line: string) => void, file: LineFile | undefined);
  constructor(upstream: Allocator<M>, write: (line: string) => void, file?: LineFile) {
    super(upstream);
    this.#write = checkFunction(write, "write");
    this.#file = file;
    this.#log({ op: "begin", version: 1, started: new Date().toISOString(), allocator: allocatorName(upstream) });
  }

  /**
   * Logs to a file, which is replaced if it exists. Lines are written asynchronously, not in `allocate`. Remaining
   * lines are written at {@link close} and when the process exits, whether normally, by `process.exit()` or by an
   * uncaught error. A write error, such as a full disk, emits a process warning and makes `close` reject.
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
   * Writes the remaining lines and closes the file. The adaptor still allocates memory afterwards, but no longer logs.
   * Further calls have no effect.
   */
  async close(): Promise<void> {
    await this.#file?.close();
  }

  /** Calls {@link close}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  protected override provide(bytes: number): M | null {
    let memory: M | null;
    try {
      memory = this.take(bytes);
    } catch (error) {
      const text = error instanceof Error ? `${error.name}: ${error.message}` : describe(error);
      this.#log({ op: "fail", bytes, error: text, time: this.#time() });
      throw error;
    }
    if (memory === null) return null;
    const id = ++this.#lastId;
    const { size } = memory;
    const time = this.#time();
    memory.onReleased(() => this.#log({ op: "release", id, time: this.#time() }));
    try {
      this.#log(size === bytes ? { op: "allocate", id, bytes, time } : { op: "allocate", id, bytes, size, time });
    } catch (error) {
      // The caller does not receive the memory.
      memory.release();
      throw error;
    }
    return memory;
  }

  /** Returns the milliseconds since the start, rounded to microseconds. */
  #time(): number {
    return Math.round((performance.now() - this.#start) * 1000) / 1000;
  }

  #log(line: LogLine): void {
    (0, this.#write)(JSON.stringify(line));
  }
}
