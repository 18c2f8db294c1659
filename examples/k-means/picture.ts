/** Draws points in the colors of their clusters. */
import { type Arrays, type DeviceArray, fuse } from "@cl/array";

import { squaredDistances } from "./k-means.js";

type Floats = DeviceArray<"float32">;

/** RGB color of each cluster. */
const colors = [
  [240, 110, 90],
  [250, 190, 70],
  [130, 200, 90],
  [80, 190, 210],
  [110, 130, 240],
  [210, 110, 210],
];

/**
 * Draws the square [-1, 1]²: bright points on the dark regions that are nearest to each center, and a white square at each
 * center.
 */
export async function clusterPicture(
  xp: Arrays,
  points: Floats,
  centers: Floats,
  size: number,
): Promise<DeviceArray<"uint8">> {
  const bright = xp.array(colors, { dtype: "uint8" });
  const dark = xp.array(
    colors.map((channels) => channels.map((value) => Math.floor(value / 4))),
    { dtype: "uint8" },
  );
  const colorOf = (palette: typeof bright, positions: Floats): typeof bright =>
    palette.take(squaredDistances(positions, centers).argmin({ axis: 1 }), { axis: 0 });

  // Coordinates of each pixel: x to the right, y up.
  const scale = 2 / size;
  const pixels = Float32Array.from({ length: 2 * size * size }, (_, i) => {
    const [column, row] = [(i >> 1) % size, Math.floor((i >> 1) / size)];
    return i % 2 === 0 ? column * scale - 1 : 1 - row * scale;
  });
  const picture = colorOf(dark, xp.array(pixels).reshape([size * size, 2])).reshape([size, size, 3]);

  const [x, y] = [points.slice(":", 0), points.slice(":", 1)];
  picture.setAt([pixelIndices(y.mul(-1), size), pixelIndices(x, size)], colorOf(bright, points));

  for (const [x, y] of (await centers.toNested()) as [number, number][]) {
    const [row, column] = [Math.round((1 - y) / scale), Math.round((x + 1) / scale)];
    picture.slice([row - 2, row + 3], [column - 2, column + 3]).assign(255);
  }
  return picture;
}

/** Converts coordinates to row or column indices, clipped to the picture. */
const pixelIndices = fuse((coordinates: Floats, size: number): DeviceArray<"int32"> =>
  coordinates
    .add(1)
    .mul(size / 2)
    .clip(0, size - 1)
    .astype("int32"),
);
