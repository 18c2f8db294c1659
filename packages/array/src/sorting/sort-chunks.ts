/** Launches the radix sort for CPUs. */
import type { GeneratedKernel } from "../kernels/generated-program.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered } from "../kernels/launch.js";
import { chunksSource } from "./chunks-source.js";
import { keyTypeOf } from "./key-source.js";
import { jobKey, type SortJob, startOf } from "./sort-job.js";

/** Number of chunks: enough to keep the cores evenly busy, and few enough to leave each a substantial share. */
const maxChunks = 16;
const minChunk = 8192;

/** Enqueues it. */
export function sortChunks(job: SortJob): void {
  const { xp, source, descending, lines, length, keys, places, given, results } = job;
  const { queue } = xp;
  const type = keyTypeOf(source.dtype);
  const plan = { dtype: source.dtype, descending, places };
  const kernel = (name: string): GeneratedKernel =>
    kernelOf(queue.context, `chunks ${jobKey(job)}`, name, () => chunksSource(plan));
  const [count, move] = [kernel("count"), kernel("move")];
  const wanted = Math.min(Math.ceil(maxChunks / lines), Math.ceil(length / minChunk));
  const chunk = Math.ceil(length / wanted / 16) * 16;
  const chunks = Math.ceil(length / chunk);
  const size = lines * length;
  using ownKeys = keys === undefined ? xp.empty([size], { dtype: source.dtype }) : undefined;
  using spare = xp.empty([size], { dtype: source.dtype });
  using sparePlaces =
    results === undefined ? undefined : xp.empty([size], { dtype: places.type === "ulong" ? "uint64" : "uint32" });
  using bits = xp.empty([lines * chunks * (type.itemSize === 16 ? 4 : 2)], { dtype: "uint64" });
  using counts = xp.empty([lines * chunks * 256], { dtype: "uint32" });
  const out = (keys ?? ownKeys?.operand() ?? spare.operand()).storage;
  const own = [spare, bits, counts].map((array) => array.operand().storage);
  const [spareKeys, bitsOf, countsOf] = own as [typeof out, typeof out, typeof out];
  const numbers = Uint32Array.of(length, chunk, chunks, keys === undefined ? 0 : 1);
  const sizes = { global: lines * chunks, local: 1 };
  const start = startOf(job);
  const payload = [given, results, sparePlaces?.operand()].flatMap((one) => (one === undefined ? [] : [one.storage]));
  for (let pass = 0; pass < type.digits; pass++) {
    launchOrdered(
      queue,
      count,
      sizes,
      [source.storage, out, spareKeys, bitsOf, countsOf]
        .map(({ memory }) => memory as unknown)
        .concat(numbers, start, pass),
      [source.storage, out, spareKeys],
      [bitsOf, countsOf],
    );
    launchOrdered(
      queue,
      move,
      sizes,
      [source.storage, out, spareKeys, ...payload, bitsOf, countsOf]
        .map(({ memory }) => memory as unknown)
        .concat(numbers, start, pass),
      [source.storage, bitsOf, countsOf, ...(given === undefined ? [] : [given.storage])],
      [out, spareKeys, ...payload.filter((one) => one !== given?.storage)],
    );
  }
}
