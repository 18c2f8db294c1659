/** The simulation on a device: two fields, and a timestep as a list of launchers. */
import { type CommandQueue, DeviceBuffer, Program } from "@cl/core";
import { KernelLauncher, ListLauncher, type Profiler } from "@cl/launcher";

import { grayScottSource } from "./gray-scott.cl.js";
import type { Fields, Rates } from "./fields.js";

/** A Gray-Scott simulation on a device. */
export interface Simulation {
  /** A timestep. Each launch passes the rates. */
  readonly step: ListLauncher<Rates>;
  /** Reads the current fields. */
  readonly read: () => Promise<Fields>;
}

/** Creates a simulation from initial fields. The profiler requires a queue with profiling. */
export async function simulation(
  queue: CommandQueue,
  { size, u, v }: Fields,
  profiler?: Profiler,
): Promise<Simulation> {
  const { context } = queue;
  const program = await new Program(context, grayScottSource).build();
  const [u1, v1] = [DeviceBuffer.from(context, u), DeviceBuffer.from(context, v)];
  const [u2, v2] = [u, v].map(() => DeviceBuffer.empty(context, Float32Array, size * size)) as [typeof u1, typeof u1];
  // Each kernel reads two fields and writes two.
  const bytes = 4 * u1.size;
  const step = new ListLauncher("gray-scott", profiler === undefined ? {} : { profiler }).push(
    new KernelLauncher("diffuse", program.kernel("diffuse"), {
      args: [u1, v1, u2, v2],
      parameters: ["dt"],
      global: [size / 8, size],
      bytes,
    }),
    new KernelLauncher("react", program.kernel("react"), {
      args: [u2, v2, u1, v1],
      parameters: ["feed", "kill", "dt"],
      global: (size * size) / 8,
      bytes,
    }),
  );
  const read = async (): Promise<Fields> => {
    const [uNow, vNow] = await Promise.all([queue.read(u1), queue.read(v1)]);
    return { size, u: uNow, v: vNow };
  };
  return { step, read };
}
