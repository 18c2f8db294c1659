/**
 * A file that lines are added to without waiting.
 *
 * Nothing is lost, since each chunk has its place in the file before it sets out. If the process ends meanwhile, the chunk
 * that is on its way is written once more, to the same place and with the same bytes, and what has not set out follows.
 */
import { writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

import { typeError } from "@cl/base";

/** Characters. More do not wait for the event loop: a program that never lets it turn would fill its memory with lines. */
const mostPending = 16 * 1024 * 1024;

const openFiles = new Set<LineFile>();

interface Chunk {
  readonly bytes: Buffer;
  readonly place: number;
}

/** Lines in a file. */
export class LineFile {
  readonly #file: FileHandle;
  #lines: string[] = [];
  #characters = 0;
  #end = 0;
  #underWay: Chunk | undefined;
  #writing: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #error: Error | undefined;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Replaces the file if there is one. */
  static async open(path: string | URL): Promise<LineFile> {
    if (typeof path !== "string" && !(path instanceof URL)) throw typeError("path", "a string or a URL", path);
    const file = await open(path, "w");
    try {
      if (!(await file.stat()).isFile()) throw typeError("path", "that of a file, not of a device", String(path));
    } catch (error) {
      await file.close();
      throw error;
    }
    const lines = new LineFile(file);
    if (openFiles.size === 0) process.on("exit", finishAll);
    openFiles.add(lines);
    return lines;
  }

  /** Adds a line, without its end. After `close`, and after an error of the file, it does nothing. */
  write(line: string): void {
    if (this.#closing !== undefined || this.#error !== undefined) return;
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#characters > mostPending) this.#putSync(this.#take());
    else this.#writing ??= this.#writeAll();
  }

  /** Writes what is left and closes the file; rejects if not all lines could be written. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  /** For the end of the process, which waits for nothing. */
  finishSync(): void {
    if (this.#underWay !== undefined) this.#putSync(this.#underWay);
    this.#putSync(this.#take());
  }

  async #close(): Promise<void> {
    await this.#writing;
    openFiles.delete(this);
    if (openFiles.size === 0) process.off("exit", finishAll);
    await this.#file.close();
    if (this.#error !== undefined) throw this.#error;
  }

  /** Never rejects: nobody but `close` asks. */
  async #writeAll(): Promise<void> {
    // What one turn of the event loop has to say is one chunk.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#lines.length > 0 && this.#error === undefined) {
      this.#underWay = this.#take();
      await this.#put(this.#underWay);
      this.#underWay = undefined;
    }
    this.#writing = undefined;
  }

  /** All that waits, and its place. */
  #take(): Chunk {
    const bytes = Buffer.from(this.#lines.length === 0 ? "" : `${this.#lines.join("\n")}\n`);
    const place = this.#end;
    this.#end += bytes.length;
    this.#lines = [];
    this.#characters = 0;
    return { bytes, place };
  }

  async #put({ bytes, place }: Chunk): Promise<void> {
    try {
      for (let done = 0; done < bytes.length;) {
        done += (await this.#file.write(bytes, done, bytes.length - done, place + done)).bytesWritten;
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #putSync({ bytes, place }: Chunk): void {
    if (this.#error !== undefined) return;
    try {
      for (let done = 0; done < bytes.length;) {
        done += writeSync(this.#file.fd, bytes, done, bytes.length - done, place + done);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#error = error instanceof Error ? error : new Error(String(error));
    this.#lines = [];
    process.emitWarning(`a log of allocations ends early: ${this.#error.message}`, { code: "CL_LOG_INCOMPLETE" });
  }
}

function finishAll(): void {
  for (const file of openFiles) file.finishSync();
}
