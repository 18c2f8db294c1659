/** Heat on a square plate with a cold rim, split into adjacent parts that exchange ghost layers. */
import { type CommandQueue, DeviceView, HostView, Program } from "@cl/core";
import { CopyLauncher, KernelLauncher, ListLauncher, runSteps } from "@cl/launcher";

import { heatSource } from "./heat.cl.js";

/** Options of the simulation. */
export interface Plate {
  /** Inner points per side. */
  readonly size: number;
  /** Number of parts that the plate is split into, a divisor of `size`. */
  readonly parts: number;
  /** Number of timesteps, even. */
  readonly steps: number;
  /** dt / dx². The scheme is stable up to 0.25. */
  readonly rate: number;
  /** Initial temperature, for 0 < x, y < 1. */
  readonly start: (x: number, y: number) => number;
}

/** Returns the temperatures of the inner points after all steps, row by row. */
export async function heat(queue: CommandQueue, { size, parts, steps, rate, start }: Plate): Promise<Float32Array> {
  const { context } = queue;
  const kernel = (await new Program(context, heatSource).build()).kernel("diffuse");
  const width = size / parts;
  const coordinate = (i: number): number => i / (size + 1);

  // With a ghost layer around each part, in both fields.
  const shape = [size + 2, width + 2];
  const fields = Array.from({ length: parts }, (_, part) => {
    const values = new Float32Array((size + 2) * (width + 2));
    for (let y = 1; y <= size; y++) {
      for (let x = 0; x < width + 2; x++) {
        const column = part * width + x;
        if (column > 0 && column <= size) values[y * (width + 2) + x] = start(coordinate(column), coordinate(y));
      }
    }
    const field = (): DeviceView<Float32Array> => DeviceView.fromHost(context, values, { shape });
    return { now: field(), next: field() };
  });

  // Two steps, so that the result is in the first field again.
  const twoSteps = new ListLauncher("heat");
  for (const [from, to] of [
    ["now", "next"],
    ["next", "now"],
  ] as const) {
    for (const part of fields) {
      const args = [part[from].memory, part[to].memory, rate] as const;
      twoSteps.push(new KernelLauncher("diffuse", kernel, { args, global: [width, size] }));
    }
    for (let part = 0; part + 1 < parts; part++) {
      const [left, right] = [fields[part]?.[to], fields[part + 1]?.[to]] as [DeviceView, DeviceView];
      // Copy the last inner column to the adjacent part's ghost layer. A column is a rectangle, one point wide.
      twoSteps.push(new CopyLauncher("to the right", { source: left.slice(":", -2), target: right.slice(":", 0) }));
      twoSteps.push(new CopyLauncher("to the left", { source: right.slice(":", 1), target: left.slice(":", -1) }));
    }
  }
  await runSteps(twoSteps, { queue, steps: steps / 2 });

  const end = new Float32Array(size * size);
  const plate = new HostView(end, { shape: [size, size] });
  for (const [part, { now }] of fields.entries()) {
    const columns = plate.slice(":", [part * width, (part + 1) * width]);
    await new CopyLauncher("result", { source: now.slice("1:-1", "1:-1"), target: columns }).enqueue(queue).wait();
  }
  return end;
}
