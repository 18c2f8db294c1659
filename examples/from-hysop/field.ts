/** Fields on the cube 0 ≤ x, y, z < 2π with periodic boundaries. */
import type { Arrays, DeviceArray } from "@cl/array";

/** Values of one or more components, with the shape `[components, size, size, size]` and the indices component, z, y, x. */
export type Field = DeviceArray<"float32">;

export type Axis = "x" | "y" | "z";

export const axes: readonly Axis[] = ["x", "y", "z"];

export type Component = (x: number, y: number, z: number) => number;

/** Length of the cube's sides. */
const length = 2 * Math.PI;

/** Creates a field with `size` cells per side, and a component for each function. */
export function field(xp: Arrays, size: number, components: readonly Component[]): Field {
  return xp.fromHost(valuesOf(size, components)).reshape([components.length, size, size, size]);
}

/** Returns the values of functions at all cells, in the order of a field. */
export function valuesOf(size: number, components: readonly Component[]): Float32Array {
  const cells = size ** 3;
  const values = new Float32Array(components.length * cells);
  for (const [i, component] of components.entries()) {
    for (let cell = 0; cell < cells; cell++) {
      const [x, y, z] = [cell % size, Math.floor(cell / size) % size, Math.floor(cell / size ** 2)];
      values[i * cells + cell] = component((x * length) / size, (y * length) / size, (z * length) / size);
    }
  }
  return values;
}

/** Number of cells per side. */
export function sizeOf(field: Field): number {
  return field.shape.at(-1) as number;
}

/** Length of a cell. */
export function cellSize(size: number): number {
  return length / size;
}
