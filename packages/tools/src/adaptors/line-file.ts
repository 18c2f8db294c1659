/**
 * A log file with asynchronous writes.
 *
 * No line is lost at process exit, since each chunk is assigned its position in the file before its write starts. At
 * exit, the chunk of the pending write is written again, with the same bytes to the same position, followed by the
 * remaining lines.
 */
import { writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

import { typeError } from "@cl/base";

/** Maximum number of pending characters. More are written synchronously, in case the program blocks the event loop. */
const maxPendingCharacters = 16 * 1024 * 1024;

const openFiles = new Set<LineFile>();

interface Chunk {
  readonly bytes: Buffer;
  readonly position: number;
}

export class LineFile {
  readonly #file: FileHandle;
  #lines: string[] = [];
  #characters = 0;
  #end = 0;
  #inFlight: Chunk | undefined;
  #writing: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #error: Error | undefined;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Opens a file for writing and replaces an existing one. */
  static async open(path: string | URL): Promise<LineFile> {
    if (typeof path !== "string" && !(path instanceof URL)) throw typeError("path", "a string or a URL", path);
    const file = await open(path, "w");
    try {
      if (!(await file.stat()).isFile()) throw typeError("path", "the path of a regular file", String(path));
    } catch (error) {
      await file.close();
      throw error;
    }
    const lines = new LineFile(file);
    if (openFiles.size === 0) process.on("exit", finishAll);
    openFiles.add(lines);
    return lines;
  }

  /** Appends a line, given without its line break. Has no effect after `close` or a write error. */
  write(line: string): void {
    if (this.#closing !== undefined || this.#error !== undefined) return;
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#characters > maxPendingCharacters) this.#putSync(this.#take());
    else this.#writing ??= this.#writeAll();
  }

  /** Writes the remaining lines and closes the file. Rejects if not all lines could be written. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  /** Writes all remaining lines synchronously at process exit. */
  finishSync(): void {
    if (this.#inFlight !== undefined) this.#putSync(this.#inFlight);
    this.#putSync(this.#take());
  }

  async #close(): Promise<void> {
    await this.#writing;
    openFiles.delete(this);
    if (openFiles.size === 0) process.off("exit", finishAll);
    await this.#file.close();
    if (this.#error !== undefined) throw this.#error;
  }

  /** Never rejects: `close` reports errors. */
  async #writeAll(): Promise<void> {
    // All lines of one event loop iteration are one chunk.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#lines.length > 0 && this.#error === undefined) {
      this.#inFlight = this.#take();
      await this.#put(this.#inFlight);
      this.#inFlight = undefined;
    }
    this.#writing = undefined;
  }

  /** Takes all pending lines as one chunk. */
  #take(): Chunk {
    const bytes = Buffer.from(this.#lines.length === 0 ? "" : `${this.#lines.join("\n")}\n`);
    const position = this.#end;
    this.#end += bytes.length;
    this.#lines = [];
    this.#characters = 0;
    return { bytes, position };
  }

  async #put({ bytes, position }: Chunk): Promise<void> {
    try {
      for (let written = 0; written < bytes.length;) {
        written += (await this.#file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #putSync({ bytes, position }: Chunk): void {
    if (this.#error !== undefined) return;
    try {
      for (let written = 0; written < bytes.length;) {
        written += writeSync(this.#file.fd, bytes, written, bytes.length - written, position + written);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#error = error instanceof Error ? error : new Error(String(error));
    this.#lines = [];
    process.emitWarning(`an allocation log is incomplete: ${this.#error.message}`, { code: "CL_LOG_INCOMPLETE" });
  }
}

function finishAll(): void {
  for (const file of openFiles) file.finishSync();
}
