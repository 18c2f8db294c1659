/**
 * The most recent launches of a plan. Programs use the same few layouts repeatedly, and a launch depends on nothing
 * else.
 */
import type { Layout } from "@cl/base";
import type { Device, LaunchSizes } from "@cl/core";
import type { Operand } from "../storage/operand.js";
import type { GeneratedKernel } from "./generated-program.js";

/** A kernel and its launch sizes. */
export interface SizedKernel {
  readonly kernel: GeneratedKernel;
  readonly sizes: LaunchSizes;
}

/** A launch with its last argument: the number of elements, or their layout. */
export interface PlannedLaunch extends SizedKernel {
  readonly last: number | Int32Array | BigInt64Array;
}

/** A stencil has about as many. */
const most = 8;

/** A small cache of launches, by the device and the operands' layouts. */
export class RecentLaunches {
  readonly #all: { readonly device: Device; readonly layouts: readonly Layout[]; readonly launch: PlannedLaunch }[] =
    [];
  #oldest = 0;

  /** Returns the launch for operands of the same layouts. */
  find(device: Device, operands: readonly Operand[]): PlannedLaunch | undefined {
    for (const known of this.#all) {
      if (known.device === device && lieAs(operands, known.layouts)) return known.launch;
    }
    return undefined;
  }

  /** Stores a launch in place of the oldest one. */
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
