/**
 * Exclusive scans of counts to offsets, followed by the total. One work-group scans up to some thousand counts, as of
 * the parts of a larger array; more are scanned by the whole device in three steps.
 */
import { kernelOf } from "../kernels/kernel-cache.js";
import { macros } from "../kernels/macros.js";
import { launchOrdered } from "../kernels/launch.js";
import type { Operand } from "../storage/operand.js";
import type { Runner } from "../reductions/launch-reduction.js";
import offsets from "./offsets.cl";
import { launchScan } from "./launch-scan.js";
import { sharedPrograms } from "../kernels/kernel-cache.js";
import type { ScanTexts } from "./scan-texts.js";

/** Up to this many counts one work-group is faster than launching three kernels. */
const fewCounts = 2 ** 15;

/**
 * Enqueues the scan of the first `count` of `count + 1` contiguous int32 or int64 from the start of the memory. Scratch
 * memory, if any, comes from the runner's allocator and is released before the call returns.
 */
export function countsToOffsets(runner: Runner, { storage, dtype }: Operand, count: number): void {
  const type = dtype === "int64" ? "long" : "int";
  if (count > fewCounts) {
    scanAll(runner, storage, type, count);
    return;
  }
  const { device, context } = runner.queue;
  // A power of two; processors do it alone.
  const local = count <= 64 ? 1 : 2 ** Math.floor(Math.log2(Math.min(device.maxWorkGroupSize, 1024)));
  const kernel = kernelOf(context, `offsets ${type} ${local}`, "offsets", () => {
    return `${macros({ T: type, GROUP: local })}${offsets}`;
  });
  launchOrdered(runner.queue, kernel, { global: local, local }, [storage.memory, count], [], [storage]);
}

/** In place: each part of a scan reads its counts before it writes them. */
function scanAll(runner: Runner, storage: Operand["storage"], type: "int" | "long", length: number): void {
  const short = length < 2 ** 31 - 2 ** 16;
  const texts = (): ScanTexts => ({
    name: "offsets",
    head: "",
    item: type,
    itemBytes: type === "long" ? 8 : 4,
    identity: "0",
    combine: (a, b) => `${a} + ${b}`,
    commutative: true,
    value: "counts[n_]",
    start: undefined,
    output: "counts[n_] = prev_; if (n_ == length_ - 1) counts[length_] = item_;",
    usesPrev: true,
    usesLast: false,
    parameters: [`__global ${type} *const counts`],
    short,
    usesPlaces: false,
  });
  const extent = { rows: 1, length };
  const given = { values: [storage.memory], reads: [], writes: [storage] };
  launchScan(runner, sharedPrograms, `offsets ${type} ${String(short)}`, texts, extent, given);
}
