/** The rules of `launchShape`. They use only device facts, so tests can describe devices that are not installed. */
import { outOfRange } from "@cl/base";

import type { DeviceFacts } from "../device/facts.js";
import { usableLocalMemorySizeOf } from "../questions/local-memory.js";
import { lockstepOf } from "../questions/simd-group-size.js";
import { hasParallelWorkItemsOf } from "../questions/work-items.js";
import { hardwareOf } from "../tables/hardware.js";
import type { KernelKind, LaunchShape, LoopForm } from "./shape.js";

/** The checked arguments of `launchShape` with defaults. */
export interface ShapeRequest {
  readonly kind: KernelKind;
  readonly itemSize: number;
  readonly forms: readonly LoopForm[];
  readonly vectorWidth: number;
  readonly localBytesPerWorkItem: number;
  readonly localBytesPerGroup: number;
  readonly maxWorkGroupSize: number;
  readonly maxGroups: number;
  readonly multiple: number | undefined;
  readonly fixed: number | undefined;
}

/** A loop form with its sizes, before they are adjusted to `n`. */
interface Plan {
  readonly form: LoopForm;
  readonly local: number;
  /** Items per work-item in the chunk form. */
  readonly items: number;
  readonly groups: number;
}

/** Returns the launch shape. Throws if `n` is too large for the allowed forms. */
export function shapeOf(facts: DeviceFacts, n: number, request: ShapeRequest): LaunchShape {
  const limits = limitsOf(facts, request);
  const preferences = hasParallelWorkItemsOf(facts)
    ? parallelPlans(facts, n, request, limits)
    : loopPlans(facts, n, request, limits);
  const allowed = preferences.filter(({ form }) => request.forms.includes(form));
  const plan = allowed.find(({ form, local }) => form !== "single" || Math.ceil(n / local) <= limits.groups);
  if (plan === undefined) {
    const maxItems = limits.groups * Math.max(...allowed.map(({ local }) => local));
    throw outOfRange(
      `n must be at most ${maxItems} for a kernel of the form "single" on '${facts.name}', received ${n}; write it in another form`,
    );
  }
  return fit(n, plan, request, limits);
}

interface Limits {
  readonly local: number;
  readonly groups: number;
  readonly multiple: number;
}

function limitsOf(facts: DeviceFacts, request: ShapeRequest): Limits {
  const { localBytesPerWorkItem, localBytesPerGroup, maxWorkGroupSize, fixed } = request;
  const localBytes = usableLocalMemorySizeOf(facts) - localBytesPerGroup;
  const maxLocal = Math.min(
    facts.maxWorkGroupSize,
    facts.maxWorkItemSizes[0] ?? Infinity,
    maxWorkGroupSize,
    localBytesPerWorkItem === 0 ? Infinity : Math.floor(localBytes / localBytesPerWorkItem),
  );
  const local = fixed ?? Math.max(1, maxLocal);
  // Global sizes are `size_t`; group counts have 31 bits in most hardware.
  const maxGlobal = facts.addressBits === 32 ? 2 ** 32 - 1 : Number.MAX_SAFE_INTEGER;
  const groups = Math.min(request.maxGroups, 2 ** 31 - 1, Math.floor(maxGlobal / local));
  const multiple = request.multiple ?? lockstepOf(facts) ?? facts.preferredWorkGroupSizeMultiple ?? 1;
  return { local, groups: Math.max(1, groups), multiple };
}

/**
 * Plans for CPUs and the like, where each work-item runs its loop to the end before the next work-item starts. Best are one item per
 * work-item, which the compiler vectorizes, or a few work-items with a chunk each that keep all cores busy. The group
 * size is the same for all `n`, since PoCL compiles a kernel for each size.
 */
function loopPlans(facts: DeviceFacts, n: number, request: ShapeRequest, limits: Limits): readonly Plan[] {
  const { kind, fixed: local = 1 } = request;
  const groups = Math.ceil(cpuWorkers(facts, n, kind) / local);
  const chunk: Plan = { form: "chunk", local, items: chunkItems(n, groups * local, request), groups };
  const stride: Plan = { form: "grid-stride", local, items: 1, groups };
  const single: Plan = { form: "single", local: groupSize(request, limits, cpuGroup), items: 1, groups: 0 };
  switch (kind) {
    case "elementwise":
      return isCached(facts, n, request) ? [single, chunk, stride] : [chunk, single, stride];
    case "reduction":
      return [chunk, stride, single];
    case "scan":
      return [chunk, single, stride];
    default:
      return kind satisfies never;
  }
}

/** Work-group size on CPUs. A group costs about as much as some dozens of items, so larger groups are not cheaper. */
const cpuGroup = 1024;

/**
 * Returns true if three arrays fit half of the cache. Beyond that, the check `i < n` in each work-item, which masks
 * every store, doubles the time on PoCL, while a chunk checks once. For explicit vectors, a chunk pays off earlier.
 */
function isCached({ globalMemCacheSize }: DeviceFacts, n: number, { itemSize, vectorWidth }: ShapeRequest): boolean {
  const cache = globalMemCacheSize === 0 ? defaultCache : globalMemCacheSize;
  return 3 * n * itemSize <= cache / (vectorWidth === 1 ? 2 : 16);
}

/** Assumed cache size if the driver does not report it. */
const defaultCache = 8 * 2 ** 20;

/**
 * Returns the number of work-items with a chunk each: several per core, so that a delayed one delays little, but only
 * one for inputs that are processed before other cores would start. With several, a scan reads twice and a reduction
 * adds up their results.
 */
function cpuWorkers(facts: DeviceFacts, n: number, kind: KernelKind): number {
  const minItems = minItemsPerWorker[kind];
  return n < 2 * minItems ? 1 : Math.min(Math.floor(n / minItems), Math.max(2, facts.maxComputeUnits * workersPerCore));
}

const workersPerCore = 4;

/** Fewer items are processed before another core has started. */
const minItemsPerWorker: Readonly<Record<KernelKind, number>> = {
  elementwise: 16_384,
  reduction: 131_072,
  scan: 65_536,
};

/** Returns the items per chunk: whole cache lines, so that no two work-items write to the same one. */
function chunkItems(n: number, workers: number, { itemSize, vectorWidth }: ShapeRequest): number {
  const line = Math.max(vectorWidth, Math.ceil(cacheLine / itemSize));
  return roundUp(Math.max(1, Math.ceil(n / workers)), roundUp(line, vectorWidth));
}

const cacheLine = 64;

/**
 * Plans for GPUs and the like. Adjacent work-items access adjacent items, 16 bytes per load if the kernel can. A
 * reduction has as many groups as are resident on all compute units, a scan has several items per work-item and so few
 * tiles.
 */
function parallelPlans(facts: DeviceFacts, n: number, request: ShapeRequest, limits: Limits): readonly Plan[] {
  const { kind, itemSize, vectorWidth } = request;
  const local = groupSize(request, limits, smallGroup(facts, n, limits));
  const isOneLoad = vectorWidth > 1 && vectorWidth * itemSize <= 16;
  const stride: Plan = { form: "grid-stride", local, items: 1, groups: residentGroups(facts, local, request) };
  const single: Plan = { form: "single", local, items: 1, groups: 0 };
  const chunk: Plan = { form: "chunk", local, items: vectorWidth, groups: 0 };
  if (kind !== "elementwise") {
    // A single group avoids the second launch: half to a third of the time on the H200.
    const singleLocal = groupSize(request, limits, singleGroupSize);
    const items = roundUp(Math.max(1, Math.ceil(n / singleLocal)), vectorWidth);
    if (items <= maxSingleGroupItems) return [{ form: "chunk", local: singleLocal, items, groups: 1 }, stride, single];
  }
  switch (kind) {
    case "elementwise":
      return isOneLoad ? [chunk, single, stride] : [single, stride, chunk];
    case "reduction":
      return [stride, { ...chunk, items: Math.max(8, vectorWidth) }, single];
    case "scan":
      return [{ ...chunk, items: Math.max(isOneLoad ? 8 : 4, vectorWidth) }, single, stride];
    default:
      return kind satisfies never;
  }
}

const singleGroupSize = 512;
/** Maximum number of items per work-item of a single group. */
const maxSingleGroupItems = 16;

/** Returns 256, which was best on the H200, or less (at minGroups 64) to spread few items over all compute units. */
function smallGroup(facts: DeviceFacts, n: number, { multiple }: Limits): number {
  const share = roundUp(Math.ceil(n / Math.max(1, facts.maxComputeUnits)), multiple);
  return Math.min(256, Math.max(64, share));
}

/** Returns the number of resident groups of the device, from the table or with values of typical current GPUs. */
function residentGroups(facts: DeviceFacts, local: number, request: ShapeRequest): number {
  const residency = hardwareOf(facts)?.residency ?? {
    workItems: 2048,
    groups: 16,
    localBytes: 65_536,
    reservedBytesPerGroup: 0,
  };
  const bytes = local * request.localBytesPerWorkItem + request.localBytesPerGroup;
  const groupsPerUnit = Math.min(
    Math.floor(residency.workItems / local),
    residency.groups,
    bytes === 0 ? Infinity : Math.floor(residency.localBytes / (bytes + residency.reservedBytesPerGroup)),
  );
  return Math.max(1, facts.maxComputeUnits) * Math.max(1, groupsPerUnit);
}

/**
 * Returns a valid group size of at most `max`: the one that the kernel requires, a power of two for tree reductions, or
 * a multiple.
 */
function groupSize({ kind, fixed }: ShapeRequest, { local, multiple }: Limits, max: number): number {
  if (fixed !== undefined) return fixed;
  const limit = Math.min(local, max);
  if (kind !== "elementwise") return 2 ** Math.floor(Math.log2(limit));
  return limit < multiple ? limit : limit - (limit % multiple);
}

/** Adjusts a plan to exactly `n` items. */
function fit(n: number, plan: Plan, { kind, vectorWidth }: ShapeRequest, limits: Limits): LaunchShape {
  const { form, local } = plan;
  // A reduction of 0 items still writes a result.
  const minGroups = kind === "reduction" ? 1 : 0;
  const shape = (groups: number, itemsPerWorkItem: number, width: number): LaunchShape => ({
    n,
    kind,
    form,
    global: groups * local,
    local,
    groups,
    itemsPerWorkItem,
    vectorWidth: width,
    allowEmpty: true,
  });
  switch (form) {
    case "single":
      return shape(Math.max(minGroups, Math.ceil(n / local)), 1, 1);
    case "chunk": {
      const minItems = roundUp(Math.ceil(n / (limits.groups * local)), vectorWidth);
      const items = Math.max(roundUp(plan.items, vectorWidth), minItems);
      return shape(Math.max(minGroups, Math.ceil(n / (local * items))), items, vectorWidth);
    }
    case "grid-stride": {
      const vectors = Math.ceil(n / vectorWidth);
      const groups = Math.max(minGroups, Math.min(plan.groups, limits.groups, Math.ceil(vectors / local)));
      const global = Math.max(1, groups * local);
      // Work-items process whole vectors first, then the remaining items.
      const vectorItems = Math.ceil(Math.floor(n / vectorWidth) / global) * vectorWidth;
      return shape(groups, Math.max(1, vectorItems + Math.ceil((n % vectorWidth) / global)), vectorWidth);
    }
    default:
      return form satisfies never;
  }
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}
