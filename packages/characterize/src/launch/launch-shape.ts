/** Sizes of a launch, and the form of the loop in its kernel. */
import { checkInstance, checkInteger, checkOptions, rangeError, typeError } from "@cl/base";
import { Device, Kernel } from "@cl/core";

import { type DeviceFacts, factsOf } from "../device/facts.js";
import { usableLocalMemorySizeOf } from "../questions/local-memory.js";
import type { KernelKind, LaunchShape, LoopForm } from "./shape.js";
import { type ShapeRequest, shapeOf } from "./shape-rules.js";
import { checkVectorWidth } from "./shaped-source.js";

/** What is known of the kernel. */
export interface LaunchShapeOptions {
  /** What it does; `"elementwise"` unless said otherwise. */
  readonly kind?: KernelKind;
  /** Bytes of an item; 4 unless said otherwise. */
  readonly itemSize?: number;
  /** Forms in which it is written, all three unless said otherwise. */
  readonly forms?: readonly LoopForm[];
  /** How many consecutive items its `"chunk"` and `"grid-stride"` forms load at once; 1 unless said otherwise. */
  readonly vectorWidth?: number;
  /** Bytes of local memory that each work-item takes; 0 unless said otherwise. */
  readonly localBytesPerWorkItem?: number;
  /** The kernel itself, which knows limits of its own. */
  readonly kernel?: Kernel;
  /** The most work-items of a group, where it is less than the device's and the kernel's. */
  readonly maxWorkGroupSize?: number;
  /** The most groups: 1 where they could not exchange results. */
  readonly maxGroups?: number;
}

/**
 * Sizes for a kernel over `n` items on a device, and the form of its loop.
 *
 * One size does not fit all. GPUs want neighbouring work-items at neighbouring items and enough groups for all compute
 * units. On processors each work-item runs its loop to the end before the next one starts: a loop that strides through
 * all items fetches each cache line again and again, and is tens of times slower than one item per work-item, or one
 * chunk for each of a few work-items.
 *
 * @example
 * ```ts
 * const shape = launchShape(context.devices[0]!, 64, { forms: ["single"] });
 * timestep.kernel("copy_all").launch(queue, { global: 64 }, x, y);
 * console.log(shape.global >= 64, shape.global % shape.local); // true 0
 * ```
 */
export function launchShape(device: Device, n: number, options?: LaunchShapeOptions): LaunchShape {
  checkInstance(device, Device, "device");
  checkInteger(n, "n");
  return shapeOf(factsOf(device), n, readRequest(device, options));
}

function readRequest(device: Device, options: LaunchShapeOptions | undefined): ShapeRequest {
  const given = checkOptions(options, [
    "kind",
    "itemSize",
    "forms",
    "vectorWidth",
    "localBytesPerWorkItem",
    "kernel",
    "maxWorkGroupSize",
    "maxGroups",
  ]);
  const { kind = "elementwise", itemSize = 4, forms = allForms, vectorWidth = 1, kernel } = given;
  if (!kinds.includes(kind)) throw rangeError("options.kind", "'elementwise', 'reduction' or 'scan'", kind);
  if (!Array.isArray(forms)) throw typeError("options.forms", "an array of forms", forms);
  if (forms.length === 0 || forms.some((form) => !allForms.includes(form as LoopForm))) {
    throw rangeError("options.forms", "one or more of 'single', 'chunk', 'grid-stride'", forms);
  }
  const { localBytesPerWorkItem = 0, maxWorkGroupSize = Infinity, maxGroups = Infinity } = given;
  if (given.maxWorkGroupSize !== undefined) checkInteger(maxWorkGroupSize, "options.maxWorkGroupSize", 1);
  if (given.maxGroups !== undefined) checkInteger(maxGroups, "options.maxGroups", 1);
  const own = kernel === undefined ? undefined : limitsOf(checkInstance(kernel, Kernel, "options.kernel"), device);
  checkInteger(localBytesPerWorkItem, "options.localBytesPerWorkItem");
  const request: ShapeRequest = {
    kind,
    itemSize: checkInteger(itemSize, "options.itemSize", 1),
    forms,
    vectorWidth: checkVectorWidth(vectorWidth, "options.vectorWidth"),
    localBytesPerWorkItem,
    localBytesPerGroup: own?.localMemSize ?? 0,
    maxWorkGroupSize: Math.min(maxWorkGroupSize, own?.workGroupSize ?? Infinity),
    maxGroups,
    multiple: own?.preferredMultiple,
    fixed: own?.fixed,
  };
  checkLocalMemory(factsOf(device), request);
  return request;
}

const kinds: readonly KernelKind[] = ["elementwise", "reduction", "scan"];
const allForms: readonly LoopForm[] = ["single", "chunk", "grid-stride"];

interface KernelLimits {
  readonly workGroupSize: number;
  readonly localMemSize: number;
  readonly preferredMultiple: number;
  /** The size that the kernel's attribute requires. */
  readonly fixed: number | undefined;
}

function limitsOf(kernel: Kernel, device: Device): KernelLimits {
  const { workGroupSize, localMemSize, preferredWorkGroupSizeMultiple, compileWorkGroupSize } =
    kernel.workGroup(device);
  const [x = 0, y = 1, z = 1] = compileWorkGroupSize;
  if (x > 0 && (y > 1 || z > 1)) {
    throw rangeError("options.kernel", "of one dimension, but it requires groups of several", kernel);
  }
  const fixed = x > 0 ? x : undefined;
  return { workGroupSize, localMemSize, preferredMultiple: preferredWorkGroupSizeMultiple, fixed };
}

function checkLocalMemory(facts: DeviceFacts, request: ShapeRequest): void {
  const room = usableLocalMemorySizeOf(facts) - request.localBytesPerGroup;
  const least = request.fixed ?? 1;
  if (request.localBytesPerWorkItem * least <= room) return;
  throw rangeError(
    "options.localBytesPerWorkItem",
    `at most ${Math.max(0, Math.floor(room / least))} on '${facts.name}', whose kernels have ${room} bytes of local memory`,
    request.localBytesPerWorkItem,
  );
}
