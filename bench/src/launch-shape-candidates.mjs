// Launch shapes that a user might try.
import { DeviceType } from "@cl/core";

/** @typedef {import("@cl/characterize").KernelKind} KernelKind */
/** @typedef {import("@cl/characterize").LaunchShape} LaunchShape */
/** @typedef {import("@cl/characterize").LoopForm} LoopForm */

/**
 * @param {import("@cl/core").Device} device
 * @param {KernelKind} kind
 * @param {number} width the kernel's vector width
 * @param {number} n
 * @returns {readonly LaunchShape[]}
 */
export function candidatesFor(device, kind, width, n) {
  const isCpu = (device.type & DeviceType.CPU) !== 0;
  const { maxComputeUnits: units, maxWorkGroupSize } = device;
  /** @type {LaunchShape[]} */
  const shapes = [];
  /**
   * @param {LoopForm} form
   * @param {number} groups
   * @param {number} local
   * @param {number} itemsPerWorkItem
   */
  const add = (form, groups, local, itemsPerWorkItem) => {
    if (local > maxWorkGroupSize) return;
    const vectorWidth = form === "single" ? 1 : width;
    const global = groups * local;
    shapes.push({ n, kind, form, global, local, groups, itemsPerWorkItem, vectorWidth, allowEmpty: true });
  };
  const up = (/** @type {number} */ value) => Math.ceil(value / width) * width;
  const chunks = (/** @type {number} */ local, /** @type {number} */ items) =>
    add("chunk", Math.ceil(n / (local * items)), local, items);
  const strides = (/** @type {number} */ local, /** @type {number} */ groups) => {
    const count = Math.min(groups, Math.ceil(n / (local * width)));
    add("grid-stride", count, local, Math.ceil(n / (count * local)));
  };

  for (const local of isCpu ? [16, 64, 256, 1024, 4096] : [64, 128, 256, 512, 1024]) {
    // A reduction with one item per work-item in small groups hardly reduces anything.
    if (kind === "elementwise" || local >= 256) add("single", Math.ceil(n / local), local, 1);
  }
  if (isCpu) {
    for (const groups of [1, 2, 4, 8, 16, 64]) chunks(1, up(Math.ceil(n / groups)));
    strides(1, units);
    strides(1, 4 * units);
    strides(64, 8 * units);
  } else {
    for (const local of [128, 256, 512]) {
      for (const items of [width, 2 * width, 4 * width, 16]) chunks(local, up(items));
      for (const perUnit of [1, 2, 4, 8, 16]) strides(local, perUnit * units);
    }
  }
  return shapes;
}
