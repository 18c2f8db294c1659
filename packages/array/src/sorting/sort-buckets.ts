/** Launches the sample sort for CPUs. */
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered } from "../kernels/launch.js";
import type { Storage } from "../storage/storage.js";
import { bucketsSource, intervalBits, samplesOfBucket } from "./buckets-source.js";
import { keyTypeOf } from "./key-source.js";
import { jobKey, type SortJob, startOf } from "./sort-job.js";

/** Number of chunks: enough to keep the cores evenly busy, and few enough to leave each a substantial share. */
const maxChunks = 16;
const minChunk = 8192;

/** Maximum number of buckets, whose numbers are bytes. */
const maxBuckets = 256;
/** Length of the buckets of short lines. */
const bucketLength = 2048;

/** Maximum length of lines that are not divided into buckets. */
const maxUndivided = 32_768;

/** Enqueues it. */
export function sortBuckets(job: SortJob): void {
  const { xp, source, descending, lines, length, keys, places, given, results } = job;
  const { queue } = xp;
  const { dtype } = source;
  const plan = { dtype, descending, places };
  const size = lines * length;
  const isDivided = length > maxUndivided;
  const buckets = isDivided ? Math.min(maxBuckets, Math.ceil(length / bucketLength)) : 1;
  const wanted = Math.min(Math.ceil(maxChunks / lines), Math.ceil(length / minChunk));
  const chunk = Math.ceil(length / wanted / 16) * 16;
  const chunks = Math.ceil(length / chunk);
  const keyBytes = Math.max(keyTypeOf(dtype).itemSize, 4);
  const bytes = (count: number): Bytes => xp.empty([isDivided ? count : 1], { dtype: "uint8" });
  using ownKeys = keys === undefined ? xp.empty([size], { dtype }) : undefined;
  using spare = xp.empty([size], { dtype });
  using sparePlaces =
    results === undefined ? undefined : xp.empty([size], { dtype: places.type === "ulong" ? "uint64" : "uint32" });
  using samples = bytes(lines * 2 * buckets * samplesOfBucket * keyBytes);
  using splitters = bytes(lines * 256 * keyBytes);
  using entries = bytes(lines * (2 ** intervalBits + 1) * 2);
  using numbers = bytes(size);
  using counts = bytes(lines * chunks * 256 * 4);
  using starts = bytes(lines * 257 * 4);
  const out = (keys ?? ownKeys?.operand() ?? spare.operand()).storage;
  const [spareOf, samplesOf, splittersOf, entriesOf, numbersOf, countsOf, startsOf] = [
    spare,
    samples,
    splitters,
    entries,
    numbers,
    counts,
    starts,
  ].map((array) => array.operand().storage) as [Storage, Storage, Storage, Storage, Storage, Storage, Storage];
  const givenOf = given === undefined ? [] : [given.storage];
  const resultsOf = results === undefined ? [] : [results.storage];
  const sparePlacesOf = sparePlaces === undefined ? [] : [sparePlaces.operand().storage];
  const values = [Uint32Array.of(length, chunk, chunks, buckets, keys === undefined ? 0 : 1), startOf(job)];
  const launch = (name: string, global: number, memory: readonly Storage[], writes: readonly Storage[]): void => {
    const kernel = kernelOf(queue.context, `buckets ${jobKey(job)}`, name, () => bucketsSource(plan));
    const args = memory.map((one): unknown => one.memory).concat(values);
    const reads = memory.filter((one) => !writes.includes(one));
    launchOrdered(queue, kernel, { global, local: 1 }, args, reads, writes);
  };

  if (isDivided) {
    const divided = [splittersOf, entriesOf];
    launch("plan", lines, [source.storage, samplesOf, ...divided], [samplesOf, ...divided]);
    launch("count", lines * chunks, [source.storage, ...divided, numbersOf, countsOf], [numbersOf, countsOf]);
    const moved = [source.storage, out, ...givenOf, ...resultsOf, numbersOf, countsOf, startsOf];
    launch("move", lines * chunks, moved, [out, ...resultsOf, startsOf]);
  }
  const sorted = [
    source.storage,
    out,
    spareOf,
    ...givenOf,
    ...resultsOf,
    ...sparePlacesOf,
    splittersOf,
    entriesOf,
    startsOf,
  ];
  launch("sort", isDivided ? lines * 256 : lines, sorted, [out, spareOf, ...resultsOf, ...sparePlacesOf]);
}

type Bytes = ReturnType<SortJob["xp"]["empty"]>;
