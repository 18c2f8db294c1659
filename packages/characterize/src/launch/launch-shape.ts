/** Chooses launch sizes and the loop form of a kernel. */
import { checkInstance, checkInteger, checkOptions, rangeError, typeError } from "@cl/base";
import { Device, Kernel } from "@cl/core";

import { type DeviceFacts, factsOf } from "../device/facts.js";
import { usableLocalMemorySizeOf } from "../questions/local-memory.js";
import type { KernelKind, LaunchShape, LoopForm } from "./shape.js";
import { type ShapeRequest, shapeOf } from "./shape-rules.js";
import { checkVectorWidth } from "./shaped-source.js";

/** Properties of the kernel. */
export interface LaunchShapeOptions {
  /** Kind of kernel. @defaultValue `"elementwise"` */
  readonly kind?: KernelKind;
  /** Size of an item in bytes. @defaultValue 4 */
  readonly itemSize?: number;
  /** Loop forms that the kernel is available in. @defaultValue all three */
  readonly forms?: readonly LoopForm[];
  /** Number of consecutive items per vector load in the `"chunk"` and `"grid-stride"` forms. @defaultValue 1 */
  readonly vectorWidth?: number;
  /** Bytes of local memory per work-item. @defaultValue 0 */
  readonly localBytesPerWorkItem?: number;
  /** The kernel, whose limits are taken into account. */
  readonly kernel?: Kernel;
  /** Maximum work-group size. @defaultValue the limit of the device and the kernel */
  readonly maxWorkGroupSize?: number;
  /** Maximum number of groups; 1 if groups cannot exchange results. @defaultValue no limit */
  readonly maxGroups?: number;
}

/**
 * Returns the sizes for launching a kernel over `n` items on a device, and the form of its loop.
 *
 * GPUs need adjacent work-items to access adjacent items, and enough groups for all compute units. On CPUs, each
 * work-item runs its loop to the end before the next one starts: a loop with the global size as stride fetches each
 * cache line repeatedly, and is tens of times slower than one item per work-item or one chunk for each of a few
 * work-items.
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
  const checked = checkOptions(options, [
    "kind",
    "itemSize",
    "forms",
    "vectorWidth",
    "localBytesPerWorkItem",
    "kernel",
    "maxWorkGroupSize",
    "maxGroups",
  ]);
  const { kind = "elementwise", itemSize = 4, forms = allForms, vectorWidth = 1, kernel } = checked;
  if (!kinds.includes(kind)) throw rangeError("options.kind", "'elementwise', 'reduction' or 'scan'", kind);
  if (!Array.isArray(forms)) throw typeError("options.forms", "an array of forms", forms);
  if (forms.length === 0 || forms.some((form) => !allForms.includes(form as LoopForm))) {
    throw rangeError("options.forms", "one or more of 'single', 'chunk', 'grid-stride'", forms);
  }
  const { localBytesPerWorkItem = 0, maxWorkGroupSize = Infinity, maxGroups = Infinity } = checked;
  if (checked.maxWorkGroupSize !== undefined) checkInteger(maxWorkGroupSize, "options.maxWorkGroupSize", 1);
  if (checked.maxGroups !== undefined) checkInteger(maxGroups, "options.maxGroups", 1);
  const kernelLimits =
    kernel === undefined ? undefined : limitsOf(checkInstance(kernel, Kernel, "options.kernel"), device);
  checkInteger(localBytesPerWorkItem, "options.localBytesPerWorkItem");
  const request: ShapeRequest = {
    kind,
    itemSize: checkInteger(itemSize, "options.itemSize", 1),
    forms,
    vectorWidth: checkVectorWidth(vectorWidth, "options.vectorWidth"),
    localBytesPerWorkItem,
    localBytesPerGroup: kernelLimits?.localMemSize ?? 0,
    maxWorkGroupSize: Math.min(maxWorkGroupSize, kernelLimits?.workGroupSize ?? Infinity),
    maxGroups,
    multiple: kernelLimits?.preferredMultiple,
    fixed: kernelLimits?.fixed,
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
  /** Work-group size that the kernel's attribute requires. */
  readonly fixed: number | undefined;
}

function limitsOf(kernel: Kernel, device: Device): KernelLimits {
  const { workGroupSize, localMemSize, preferredWorkGroupSizeMultiple, compileWorkGroupSize } =
    kernel.workGroup(device);
  const [x = 0, y = 1, z = 1] = compileWorkGroupSize;
  if (x > 0 && (y > 1 || z > 1)) {
    throw rangeError("options.kernel", "a kernel whose required work-group size has one dimension", kernel);
  }
  const fixed = x > 0 ? x : undefined;
  return { workGroupSize, localMemSize, preferredMultiple: preferredWorkGroupSizeMultiple, fixed };
}

function checkLocalMemory(facts: DeviceFacts, request: ShapeRequest): void {
  const available = usableLocalMemorySizeOf(facts) - request.localBytesPerGroup;
  const minLocal = request.fixed ?? 1;
  if (request.localBytesPerWorkItem * minLocal <= available) return;
  throw rangeError(
    "options.localBytesPerWorkItem",
    `at most ${Math.max(0, Math.floor(available / minLocal))} on '${facts.name}', whose kernels have ${available} bytes of local memory`,
    request.localBytesPerWorkItem,
  );
}
