/** Fields on the square 0 ≤ x, y < 1 with periodic boundaries. */
import { type CommandQueue, DeviceView, HostView } from "@cl/core";
import { CopyLauncher, type ListLauncher } from "@cl/launcher";

/** Ghost cells on each side: a particle moves by at most one cell and contributes to cells up to two away. */
export const ghosts = 3;

/** Values of a field including ghost cells, row by row. */
export type Field = DeviceView<Float32Array>;

const inner = `${ghosts}:${-ghosts}`;

export type Axis = "x" | "y";

/** Creates a field with `size` cells per side. */
export function field(queue: CommandQueue, size: number, value: (x: number, y: number) => number = () => 0): Field {
  const pitch = size + 2 * ghosts;
  const coordinate = (index: number): number => ((index - ghosts + size) % size) / size;
  const values = Float32Array.from({ length: pitch * pitch }, (_, i) =>
    value(coordinate(i % pitch), coordinate(Math.floor(i / pitch))),
  );
  return DeviceView.fromHost(queue.context, values, { shape: [pitch, pitch] });
}

/** Reads the values without the ghost cells, row by row. */
export async function valuesOf(queue: CommandQueue, field: Field): Promise<Float32Array> {
  const source = field.slice(inner, inner);
  const values = new Float32Array(source.size);
  const target = new HostView(values, { shape: source.shape });
  await new CopyLauncher("values", { source, target }).enqueue(queue).wait();
  return values;
}

/** Appends copies that update the ghost cells along an axis from the opposite side. */
export function pushGhosts(list: ListLauncher, name: string, field: Field, axis: Axis): void {
  const part = (range: string): Field => (axis === "x" ? field.slice(inner, range) : field.slice(range, inner));
  list.pushCopyDeviceToDevice(`${name} lower ghosts`, part(`${-2 * ghosts}:${-ghosts}`), part(`:${ghosts}`));
  list.pushCopyDeviceToDevice(`${name} upper ghosts`, part(`${ghosts}:${2 * ghosts}`), part(`${-ghosts}:`));
}
