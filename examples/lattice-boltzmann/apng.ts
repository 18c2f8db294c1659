/** Writes animated PNG files (https://www.w3.org/TR/png-3/#apng-frame-based-animation). */
import { type FileHandle, open } from "node:fs/promises";
import { crc32 } from "node:zlib";

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const signature = Buffer.from("\x89PNG\r\n\x1A\n", "latin1");
/** Position of the chunk that contains the number of frames: after the signature and the header. */
const controlPosition = signature.length + 25;
const end = chunk("IEND", Buffer.alloc(0));

/** An animation that grows by a frame at a time. The file is complete after each frame, also if the program then stops. */
export class AnimatedPng {
  readonly #file: FileHandle;
  readonly #delay: number;
  #first: readonly Chunk[] = [];
  #frames = 0;
  /** Number of the next chunk that belongs to the animation. */
  #sequence = 0;
  /** Where the next frame begins. */
  #position = 0;

  private constructor(file: FileHandle, delay: number) {
    this.#file = file;
    this.#delay = delay;
  }

  /** Creates the file, or empties it. Each frame is shown for `delay` milliseconds, and the animation repeats forever. */
  static async create(path: string, delay: number): Promise<AnimatedPng> {
    return new AnimatedPng(await open(path, "w"), delay);
  }

  /** Number of frames. */
  get frames(): number {
    return this.#frames;
  }

  /** Appends a frame: a PNG file with the size and the colors of the first frame. */
  async append(png: Uint8Array): Promise<void> {
    const chunks = chunksOf(Buffer.from(png));
    const head = chunks.filter(({ type }) => type !== "IDAT" && type !== "IEND");
    const image = Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data));
    if (this.#frames === 0) {
      this.#first = head;
      const [header, ...colors] = head.map(({ type, data }) => chunk(type, data));
      const start = [signature, header as Buffer, animationControl(1), ...colors];
      await this.#write([...start, this.#frameControl(), chunk("IDAT", image)]);
    } else {
      if (!isSameHead(head, this.#first)) {
        throw new Error("png: expected the size and the colors of the first frame");
      }
      const control = this.#frameControl();
      await this.#write([control, chunk("fdAT", Buffer.concat([uint32(this.#sequence++), image]))]);
      await writeAt(this.#file, animationControl(this.#frames + 1), controlPosition);
    }
    this.#frames++;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Writes chunks and the end of the file, which the next frame replaces. */
  async #write(chunks: readonly Buffer[]): Promise<void> {
    const bytes = Buffer.concat(chunks);
    await writeAt(this.#file, Buffer.concat([bytes, end]), this.#position);
    this.#position += bytes.length;
  }

  #frameControl(): Buffer {
    const size = this.#first[0]?.data.subarray(0, 8) ?? Buffer.alloc(8);
    const [offset, delay] = [Buffer.alloc(8), Buffer.alloc(4)];
    delay.writeUInt16BE(this.#delay, 0);
    delay.writeUInt16BE(1000, 2);
    // Each frame replaces the one before completely.
    return chunk("fcTL", Buffer.concat([uint32(this.#sequence++), size, offset, delay, Buffer.of(0, 0)]));
  }
}

function animationControl(frames: number): Buffer {
  return chunk("acTL", Buffer.concat([uint32(frames), uint32(0)]));
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

/** Splits a PNG file into its chunks. */
function chunksOf(png: Buffer): Chunk[] {
  if (!png.subarray(0, signature.length).equals(signature)) throw new Error("png: expected a PNG file");
  const chunks: Chunk[] = [];
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

function isSameHead(a: readonly Chunk[], b: readonly Chunk[]): boolean {
  return a.length === b.length && a.every(({ type, data }, i) => type === b[i]?.type && data.equals(b[i].data));
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Writes all bytes at a position. */
async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
