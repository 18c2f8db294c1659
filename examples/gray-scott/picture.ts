/** Writes a field as a PNG file. */
import { crc32, deflateSync } from "node:zlib";

/** Encodes a square field as a PNG file. The color scale spans 0 to `most`. */
export function pictureOf(field: Float32Array, size: number, most: number): Uint8Array {
  const rows = new Uint8Array(size * (1 + 3 * size));
  for (let y = 0; y < size; y++) {
    // Each row starts with its filter type, 0 for unfiltered.
    for (let x = 0; x < size; x++) {
      rows.set(colorOf((field[y * size + x] as number) / most), y * (1 + 3 * size) + 1 + 3 * x);
    }
  }
  return png(size, size, rows);
}

/** Evenly spaced color stops from dark to light, perceptually uniform. */
const stops = [
  [13, 11, 40],
  [28, 45, 108],
  [24, 96, 134],
  [44, 143, 129],
  [124, 183, 108],
  [219, 211, 127],
  [253, 246, 219],
] as const;

function colorOf(value: number): readonly number[] {
  const position = Math.min(1, Math.max(0, value)) * (stops.length - 1);
  const index = Math.min(stops.length - 2, Math.floor(position));
  const [from, to] = [stops[index], stops[index + 1]] as [readonly number[], readonly number[]];
  return from.map((channel, i) => Math.round(channel + (position - index) * ((to[i] as number) - channel)));
}

/** Encodes a PNG file (https://www.w3.org/TR/png-3/): a signature, and chunks with length, name and checksum. */
function png(width: number, height: number, rows: Uint8Array): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8); // 8 bits for each of red, green and blue
  const chunk = (name: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    checksum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, checksum]);
  };
  const signature = Buffer.from("\x89PNG\r\n\x1A\n", "latin1");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", new Uint8Array(0)),
  ]);
}
