/** Launchers of the kernel `add` for one element. */
import type { DeviceBuffer } from "@cl/core";
import { KernelLauncher, type Launcher } from "@cl/launcher";

import { program } from "./device.js";

const add = program.kernel("add");

/** Returns a launcher that adds a number. */
export const plus = (x: DeviceBuffer<Int32Array>, a = 1, name = `plus ${a}`): KernelLauncher =>
  new KernelLauncher(name, add, { args: [x, a], global: 1 });

/** Returns a launcher that adds its parameter `a`. */
export const adding = (x: DeviceBuffer<Int32Array>, name = "add"): Launcher<{ readonly a: number }> =>
  new KernelLauncher(name, add, { args: { x }, parameters: ["a"], global: 1 });
