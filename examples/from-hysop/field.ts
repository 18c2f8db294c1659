/** Fields on the square 0 ≤ x, y < 1, whose opposite sides meet. */
import { type CommandQueue, DeviceView, HostView } from "@cl/core";
import { CopyLauncher, type ListLauncher } from "@cl/launcher";

/** Cells beside the square on each side: a particle moves by a cell at most, and gives to cells that are two away. */
export const ghosts = 3;

/** Where a field's values are, ghosts included: row after row. */
export type Field = DeviceView<Float32Array>;

const inner = `${ghosts}:${-ghosts}`;

export type Axis = "x" | "y";

/** A field with so many cells a side. */
export function field(queue: CommandQueue, size: number, value: (x: number, y: number) => number = () => 0): Field {
  const pitch = size + 2 * ghosts;
  const at = (place: number): number => ((place - ghosts + size) % size) / size;
  const values = Float32Array.from({ length: pitch * pitch }, (_, i) =>
    value(at(i % pitch), at(Math.floor(i / pitch))),
  );
  return DeviceView.fromHost(queue.context, values, { shape: [pitch, pitch] });
}

/** The values without the ghosts, row after row. */
export async function valuesOf(queue: CommandQueue, whole: Field): Promise<Float32Array> {
  const source = whole.slice(inner, inner);
  const values = new Float32Array(source.size);
  const target = new HostView(values, { shape: source.shape });
  await new CopyLauncher("values", { source, target }).enqueue(queue).wait();
  return values;
}

/** Copies that bring the ghosts of one direction up to date: each side gets what is on the other one. */
export function pushGhosts(list: ListLauncher, name: string, whole: Field, axis: Axis): void {
  const part = (range: string): Field => (axis === "x" ? whole.slice(inner, range) : whole.slice(range, inner));
  list.pushCopyDeviceToDevice(`${name} before`, part(`${-2 * ghosts}:${-ghosts}`), part(`:${ghosts}`));
  list.pushCopyDeviceToDevice(`${name} behind`, part(`${ghosts}:${2 * ghosts}`), part(`${-ghosts}:`));
}
