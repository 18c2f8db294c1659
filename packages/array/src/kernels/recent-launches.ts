/**
 * The launches of a plan that were made last. Programs compute with the same few layouts again and again, and what a launch
 * of them comes to depends on nothing else.
 */
import type { Layout } from "@cl/base";
import type { Device } from "@cl/core";
import type { SizedKernel } from "./elementwise-plan.js";
import type { Operand } from "./operand.js";

/** A launch with its last argument: the number of elements, or where they are. */
export interface PlannedLaunch extends SizedKernel {
  readonly last: number | Int32Array | BigInt64Array;
}

/** A stencil has about as many. */
const most = 8;

/** A few launches, by the device and by how the operands lay. */
export class RecentLaunches {
  readonly #all: { readonly device: Device; readonly layouts: readonly Layout[]; readonly launch: PlannedLaunch }[] =
    [];
  #oldest = 0;

  /** The launch for operands that lie the same. */
  find(device: Device, operands: readonly Operand[]): PlannedLaunch | undefined {
    for (const known of this.#all) {
      const { launch } = known;
      if (known.device === device && lieAs(operands, known.layouts) && !launch.kernel.released) return launch;
    }
    return undefined;
  }

  /** Keeps a launch instead of the oldest one. */
  keep(device: Device, operands: readonly Operand[], launch: PlannedLaunch): PlannedLaunch {
    this.#all[this.#oldest] = { device, layouts: operands.map(({ layout }) => layout), launch };
    this.#oldest = (this.#oldest + 1) % most;
    return launch;
  }
}

function lieAs(operands: readonly Operand[], layouts: readonly Layout[]): boolean {
  return (
    operands.length === layouts.length && layouts.every((layout, k) => isSame(layout, (operands[k] as Operand).layout))
  );
}

function isSame(one: Layout, other: Layout): boolean {
  return (
    one === other ||
    (one.offset === other.offset && areSame(one.shape, other.shape) && areSame(one.strides, other.strides))
  );
}

function areSame(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((one, axis) => one === others[axis]);
}
