/** Launches the radix sort for GPUs. */
import type { Device } from "@cl/core";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered } from "../kernels/launch.js";
import { isSinceVolta } from "../kernels/since-volta.js";
import type { Storage } from "../storage/storage.js";
import { blockSize, blocksGroup, blocksSource, type BlocksWay } from "./blocks-source.js";
import { keyTypeOf } from "./key-source.js";
import { jobKey, type SortJob, startOf } from "./sort-job.js";

/** What the words of {@link BlocksWay.before} can count. */
const maxLookBack = 2 ** 30 - 1;
/** Maximum number of groups that count digits, and minimum number of elements of each. */
const maxParts = 2048;
const minPart = 16_384;

/** Uses look-back only on devices that guarantee forward progress between work-groups. */
function wayOf(device: Device, length: number): BlocksWay {
  const isKnown = isSinceVolta(device);
  return { before: isKnown && length <= maxLookBack ? "look-back" : "counts", ranks: isKnown ? "warps" : "masks" };
}

/** Enqueues the sort; `way` defaults to the best one for the device. */
export function sortBlocks(job: SortJob, way: BlocksWay = wayOf(job.xp.queue.device, job.length)): void {
  const { xp, source, descending, lines, length, keys, places, given, results } = job;
  const { queue } = xp;
  const { dtype } = source;
  const { digits } = keyTypeOf(dtype);
  const looks = way.before === "look-back";
  const plan = { dtype, descending, places, ...way };
  const text = `${way.before} ${way.ranks} ${jobKey(job)}`;
  const blocks = Math.ceil(length / blockSize(plan));
  const part = Math.max(minPart, Math.ceil(length / Math.ceil(maxParts / lines) / blocksGroup) * blocksGroup);
  const parts = Math.ceil(length / part);
  const size = lines * length;

  // Tickets, totals, and the words of the first pass, all of which begin as 0.
  const tickets = 16;
  const totals = lines * digits * 256;
  const words = lines * blocks * 256;
  using counted = xp.zeros([totals], { dtype: "uint32" });
  using first = xp.zeros([looks ? tickets + words : 1], { dtype: "uint32" });
  using other = xp.empty([words], { dtype: "uint32" });
  using steps = xp.empty([lines * digits], { dtype: "uint32" });
  using ownKeys = keys === undefined ? xp.empty([size], { dtype }) : undefined;
  using spare = xp.empty([size], { dtype });
  using sparePlaces =
    results === undefined ? undefined : xp.empty([size], { dtype: places.type === "ulong" ? "uint64" : "uint32" });

  const storageOf = (array: { operand(): { readonly storage: Storage } }): Storage => array.operand().storage;
  const out = keys === undefined ? storageOf(ownKeys as NonNullable<typeof ownKeys>) : keys.storage;
  const elements = [source.storage, out, storageOf(spare)];
  const payload = [given, results, sparePlaces?.operand()].flatMap((one) => (one === undefined ? [] : [one.storage]));
  const numbers = Uint32Array.of(length, blocks, part, parts, keys === undefined ? 0 : 1);
  const start = startOf(job);
  const launch = (
    name: string,
    groups: number,
    memory: readonly Storage[],
    values: readonly unknown[],
    writes: readonly Storage[],
  ): void => {
    const kernel = kernelOf(queue.context, `blocks ${text}`, name, () => blocksSource(plan));
    const sizes = { global: groups * blocksGroup, local: blocksGroup };
    const args = [...memory.map((one) => one.memory as unknown), numbers, ...values];
    launchOrdered(
      queue,
      kernel,
      sizes,
      args,
      memory.filter((one) => !writes.includes(one)),
      writes,
    );
  };

  const [totalsOf, stepsOf, firstOf, otherOf] = [counted, steps, first, other].map(storageOf) as [
    Storage,
    Storage,
    Storage,
    Storage,
  ];
  launch("histogram", lines * parts, [source.storage, totalsOf], [start], [totalsOf]);
  launch("plan", lines, [totalsOf, stepsOf], [], [totalsOf, stepsOf]);
  for (let pass = 0; pass < digits; pass++) {
    const written = [...elements.slice(1), ...payload.filter((one) => one !== given?.storage)];
    if (looks) {
      const memory = [...elements, ...payload, totalsOf, stepsOf, firstOf, firstOf, otherOf];
      launch("move", lines * blocks, memory, [start, pass, BigInt(tickets)], [...written, firstOf, otherOf]);
      continue;
    }
    launch("count", lines * blocks, [...elements, stepsOf, otherOf], [start, pass], [otherOf]);
    launch("scan", lines * 256, [stepsOf, otherOf], [pass], [otherOf]);
    launch("move", lines * blocks, [...elements, ...payload, totalsOf, stepsOf, otherOf], [start, pass], written);
  }
}
