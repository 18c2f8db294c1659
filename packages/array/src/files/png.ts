/** The PNG format. */
import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";

const deflated = promisify(deflate);

/** A picture: rows of pixels, each with some bytes. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Bytes of a pixel: a place in the palette, or red, green and blue, or those and opacity. */
  readonly bytes: 1 | 3 | 4;
  readonly data: Uint8Array;
}

/** What the bytes of pixels stand for: colors of three bytes, and the opacity of the first of them. */
export interface Palette {
  readonly colors: Uint8Array;
  readonly opacities: Uint8Array;
}

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** The bytes of a file. */
export async function encodePng({ width, height, bytes, data }: Pixels, palette?: Palette): Promise<Uint8Array> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const kind = palette === undefined ? { 1: 0, 3: 2, 4: 6 }[bytes] : 3;
  head.set([8, kind, 0, 0, 0], 8);
  const rows = filtered({ width, height, bytes, data }, palette === undefined);
  const chunks = [chunk("IHDR", head)];
  if (palette !== undefined) chunks.push(chunk("PLTE", palette.colors), chunk("tRNS", palette.opacities));
  chunks.push(chunk("IDAT", await deflated(rows)), chunk("IEND", new Uint8Array()));
  const file = Buffer.concat([signature, ...chunks]);
  return new Uint8Array(file.buffer, file.byteOffset, file.length);
}

/** Rows with a byte before each: their bytes are differences from the pixel before, or themselves. */
function filtered({ width, height, bytes, data }: Pixels, differences: boolean): Uint8Array {
  const length = width * bytes;
  const rows = new Uint8Array((length + 1) * height);
  for (let y = 0; y < height; y++) {
    const from = y * length;
    const to = y * (length + 1) + 1;
    rows.set(data.subarray(from, from + length), to);
    if (!differences) continue;
    rows[to - 1] = 1;
    for (let i = length - 1; i >= bytes; i--) {
      rows[to + i] = (data[from + i] as number) - (data[from + i - bytes] as number);
    }
  }
  return rows;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const all = Buffer.alloc(data.length + 12);
  all.writeUInt32BE(data.length, 0);
  all.write(type, 4, "latin1");
  all.set(data, 8);
  all.writeUInt32BE(crc32(all.subarray(4, data.length + 8)), data.length + 8);
  return all;
}
