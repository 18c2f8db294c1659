/** The rules behind `launchShape`. They read descriptions alone, so that tests can ask about devices that are not there. */
import { outOfRange } from "@cl/base";

import type { DeviceFacts } from "../device/facts.js";
import { isCpu } from "../device/vendor.js";
import { usableLocalMemorySizeOf } from "../questions/local-memory.js";
import { lockstepOf } from "../questions/simd-group-size.js";
import { hardwareOf } from "../tables/hardware.js";
import type { KernelKind, LaunchShape, LoopForm } from "./shape.js";

/** What `launchShape` was asked, complete and checked. */
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

/** A form with its sizes, before they are fitted to `n`. */
interface Plan {
  readonly form: LoopForm;
  readonly local: number;
  /** Items of a work-item in the chunk form, groups in the stride form. */
  readonly items: number;
  readonly groups: number;
}

/** The shape. */
export function shapeOf(facts: DeviceFacts, n: number, request: ShapeRequest): LaunchShape {
  const limits = limitsOf(facts, request);
  const preferences = isCpu(facts) ? cpuPlans(facts, n, request, limits) : gpuPlans(facts, n, request, limits);
  const allowed = preferences.filter(({ form }) => request.forms.includes(form));
  const plan = allowed.find(({ form, local }) => form !== "single" || Math.ceil(n / local) <= limits.groups);
  if (plan === undefined) {
    const most = limits.groups * Math.max(...allowed.map(({ local }) => local));
    throw outOfRange(
      `n must be at most ${most} for a kernel of one item per work-item on '${facts.name}', received ${n}; write it in another form`,
    );
  }
  return fit(n, plan, request, limits);
}

/** What no shape may exceed. */
interface Limits {
  readonly local: number;
  readonly groups: number;
  readonly multiple: number;
}

function limitsOf(facts: DeviceFacts, request: ShapeRequest): Limits {
  const { localBytesPerWorkItem, localBytesPerGroup, maxWorkGroupSize, fixed } = request;
  const room = usableLocalMemorySizeOf(facts) - localBytesPerGroup;
  const most = Math.min(
    facts.maxWorkGroupSize,
    facts.maxWorkItemSizes[0] ?? Infinity,
    maxWorkGroupSize,
    localBytesPerWorkItem === 0 ? Infinity : Math.floor(room / localBytesPerWorkItem),
  );
  const local = fixed ?? Math.max(1, most);
  // Global sizes are `size_t`; numbers of groups are 31 bits in most hardware.
  const maxGlobal = facts.addressBits === 32 ? 2 ** 32 - 1 : Number.MAX_SAFE_INTEGER;
  const groups = Math.min(request.maxGroups, 2 ** 31 - 1, Math.floor(maxGlobal / local));
  const multiple = request.multiple ?? lockstepOf(facts) ?? facts.preferredWorkGroupSizeMultiple ?? 1;
  return { local, groups: Math.max(1, groups), multiple };
}

/**
 * Processors. A work-item's loop runs to its end before the next work-item's: what is wanted is one item each, which the
 * compiler makes vectors of, or as few work-items with a chunk each as keep all cores busy. One size of group for all `n`,
 * as PoCL compiles a kernel anew for each.
 */
function cpuPlans(facts: DeviceFacts, n: number, request: ShapeRequest, limits: Limits): readonly Plan[] {
  const { kind, fixed: alone = 1 } = request;
  const workers = Math.ceil(cpuWorkers(facts, n, kind) / alone);
  const chunk: Plan = { form: "chunk", local: alone, items: chunkItems(n, workers * alone, request), groups: workers };
  const stride: Plan = { form: "grid-stride", local: alone, items: 1, groups: workers };
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

/** A group costs about as much as some dozens of its items; more items than this do not make it cheaper. */
const cpuGroup = 1024;

/**
 * Whether three arrays stay in half of the cache. Beyond it, the question `i < n` of each work-item, which makes every
 * store a masked one, doubles the time on PoCL; a chunk asks it once. Vectors that are written out are worth it earlier.
 */
function isCached({ globalMemCacheSize }: DeviceFacts, n: number, { itemSize, vectorWidth }: ShapeRequest): boolean {
  const cache = globalMemCacheSize === 0 ? unknownCache : globalMemCacheSize;
  return 3 * n * itemSize <= cache / (vectorWidth === 1 ? 2 : 16);
}

const unknownCache = 8 * 2 ** 20;

/**
 * Work-items with a chunk each: more than cores, so that one that is held up holds up little, and one alone for what is
 * done before others would have begun. A scan of several reads twice, and a reduction of several adds up their results.
 */
function cpuWorkers(facts: DeviceFacts, n: number, kind: KernelKind): number {
  const worthOne = itemsWorthOne[kind];
  return n < 2 * worthOne ? 1 : Math.min(Math.floor(n / worthOne), Math.max(2, facts.maxComputeUnits * workersPerCore));
}

const workersPerCore = 4;

/** Fewer items than these are done before another core has begun. */
const itemsWorthOne: Readonly<Record<KernelKind, number>> = { elementwise: 16_384, reduction: 131_072, scan: 65_536 };

/** Whole cache lines for each, so that no two write to one. */
function chunkItems(n: number, workers: number, { itemSize, vectorWidth }: ShapeRequest): number {
  const line = Math.max(vectorWidth, Math.ceil(cacheLine / itemSize));
  return roundUp(Math.max(1, Math.ceil(n / workers)), roundUp(line, vectorWidth));
}

const cacheLine = 64;

/**
 * GPUs, and what nobody knows. Neighbours at neighbouring items, 16 bytes of them at once if the kernel can; for a
 * reduction as many groups as fit on all compute units; for a scan some items each, so that it has few tiles.
 */
function gpuPlans(facts: DeviceFacts, n: number, request: ShapeRequest, limits: Limits): readonly Plan[] {
  const { kind, itemSize, vectorWidth } = request;
  const local = groupSize(request, limits, smallGroup(facts, n, limits));
  const isOneLoad = vectorWidth > 1 && vectorWidth * itemSize <= 16;
  const stride: Plan = { form: "grid-stride", local, items: 1, groups: residentGroups(facts, local, request) };
  const single: Plan = { form: "single", local, items: 1, groups: 0 };
  const chunk: Plan = { form: "chunk", local, items: vectorWidth, groups: 0 };
  if (kind !== "elementwise") {
    // One group needs no second launch, which costs more than what it could do: half to a third of the time on the H200.
    const alone = groupSize(request, limits, loneGroup);
    const items = roundUp(Math.max(1, Math.ceil(n / alone)), vectorWidth);
    if (items <= mostAlone) return [{ form: "chunk", local: alone, items, groups: 1 }, stride, single];
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

const loneGroup = 512;
/** Items of each work-item of a lone group. */
const mostAlone = 16;

/** 256 was best on the H200; less for few items, so that they spread over the compute units, but not below 64. */
function smallGroup(facts: DeviceFacts, n: number, { multiple }: Limits): number {
  const share = roundUp(Math.ceil(n / Math.max(1, facts.maxComputeUnits)), multiple);
  return Math.min(256, Math.max(64, share));
}

/** Groups that run at once on the whole device, by the table's figures, or by those of most GPUs of today. */
function residentGroups(facts: DeviceFacts, local: number, request: ShapeRequest): number {
  const residency = hardwareOf(facts)?.residency ?? {
    workItems: 2048,
    groups: 16,
    localBytes: 65_536,
    reservedBytesPerGroup: 0,
  };
  const bytes = local * request.localBytesPerWorkItem + request.localBytesPerGroup;
  const each = Math.min(
    Math.floor(residency.workItems / local),
    residency.groups,
    bytes === 0 ? Infinity : Math.floor(residency.localBytes / (bytes + residency.reservedBytesPerGroup)),
  );
  return Math.max(1, facts.maxComputeUnits) * Math.max(1, each);
}

/** A legal size near the wanted one: what the kernel requires, a power of two where trees are built, else a multiple. */
function groupSize({ kind, fixed }: ShapeRequest, { local, multiple }: Limits, wanted: number): number {
  if (fixed !== undefined) return fixed;
  const most = Math.min(local, wanted);
  if (kind !== "elementwise") return 2 ** Math.floor(Math.log2(most));
  return most < multiple ? most : most - (most % multiple);
}

/** The plan for exactly `n` items. */
function fit(n: number, plan: Plan, { kind, vectorWidth }: ShapeRequest, limits: Limits): LaunchShape {
  const { form, local } = plan;
  // A reduction of nothing still has a result, which somebody has to write.
  const least = kind === "reduction" ? 1 : 0;
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
      return shape(Math.max(least, Math.ceil(n / local)), 1, 1);
    case "chunk": {
      const fewest = roundUp(Math.ceil(n / (limits.groups * local)), vectorWidth);
      const items = Math.max(roundUp(plan.items, vectorWidth), fewest);
      return shape(Math.max(least, Math.ceil(n / (local * items))), items, vectorWidth);
    }
    case "grid-stride": {
      const vectors = Math.ceil(n / vectorWidth);
      const groups = Math.max(least, Math.min(plan.groups, limits.groups, Math.ceil(vectors / local)));
      const global = Math.max(1, groups * local);
      // Whole vectors go round first, and then what is left of one.
      const whole = Math.ceil(Math.floor(n / vectorWidth) / global) * vectorWidth;
      return shape(groups, Math.max(1, whole + Math.ceil((n % vectorWidth) / global)), vectorWidth);
    }
    default:
      return form satisfies never;
  }
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}
