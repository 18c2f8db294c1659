/**
 * Intel GPUs by name. Sources: "occupancy", the data of Intel's GPU Occupancy Calculator (oneAPI samples): sub-group
 * sizes, threads and shared local memory of a sub-slice or Xe core; "guide", the oneAPI GPU Optimization Guide, "Shared
 * Local Memory": 64 consecutive bytes are stored in 16 banks of 4 bytes, and equal addresses do not conflict.
 *
 * The compiler chooses a SIMD width for each kernel, so rows have no `simdGroupSize`: the driver's preference is used.
 * `widths` lists the possible widths.
 */
import type { DeviceFacts } from "../device/facts.js";
import type { Hardware } from "./row.js";

/** A row with the sub-group sizes that the compiler can choose. */
export interface IntelHardware extends Hardware {
  readonly widths: readonly number[];
}

/** Returns the row of a GPU by its name. */
export function intelRow(facts: DeviceFacts): IntelHardware | undefined {
  return rows.find(([pattern]) => pattern.test(facts.name))?.[1];
}

/**
 * Creates a row. Each thread holds one sub-group; work-items are counted for a width of 16, which most kernels have.
 */
function row(family: string, widths: readonly number[], threads: number, slmKiB: number): IntelHardware {
  return {
    family,
    widths,
    localMemory: { banks: 16, simultaneous: 16 }, // guide
    residency: { workItems: threads * 16, groups: threads, localBytes: slmKiB * 1024, reservedBytesPerGroup: 0 },
  };
}

const rows: readonly (readonly [RegExp, IntelHardware])[] = [
  [/\b(Data Center GPU Max|GPU Max 1\d\d\d|Ponte Vecchio|PVC)\b/i, row("Intel Xe HPC", [16, 32], 64, 128)], // occupancy: xe_hpc_pvc
  [/\b(Arc\W.*\bB\d{2,3}\b|Battlemage|Lunar Lake|Arc\W.*\b1[34]0[VT]\b)/i, row("Intel Xe2", [16, 32], 64, 128)], // guide, "Sub-groups": 16 and 32 on Xe2
  [/\b(Arc\W|Data Center GPU Flex|DG2)/i, row("Intel Xe HPG", [8, 16, 32], 128, 128)], // occupancy: xe_hpg_dg2
  [/\b(Iris\W.*\bXe|UHD Graphics 7[0-9]{2}|Xe MAX|DG1)\b/i, row("Intel Xe LP", [8, 16, 32], 112, 64)], // occupancy: xe_lp (16 EU of 7 threads)
  [/\bIris\W.*\bPlus\b.*\bG[147]\b/i, row("Intel Gen11", [8, 16, 32], 56, 64)], // occupancy: gen11 (8 EU of 7 threads)
  [/\b(U?HD Graphics P?[456]\d{2}|Iris\W.*\b(5|6)\d{2})\b/i, row("Intel Gen9", [8, 16, 32], 56, 64)], // occupancy: gen9 (8 EU of 7 threads)
];
