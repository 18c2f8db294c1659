/**
 * AMD GPUs by the chip's name in the compiler (`gfx90a`) or by board name.
 *
 * Sources, by their names in the rows: "specs", ROCm's "AMD GPU specifications" (wavefront size and LDS); "LLVM", the
 * User Guide for the AMDGPU backend, and the features of its processors (LDS banks); "Optimization", AMD's OpenCL
 * Programming Optimization Guide, "Local Memory (LDS) Optimization": conflicts occur within half a wavefront of 64;
 * "profiler", ROCm Compute Profiler, "Pipeline descriptions": wave slots, and 32 banks; "RDNA", AMD's RDNA
 * whitepaper: a wave is 32, a compute unit of a dual pair has 32 banks.
 */
import type { DeviceFacts } from "../device/facts.js";
import type { Hardware } from "./row.js";

/**
 * Returns the row of a GPU. With ROCm and rusticl, the device name contains the chip; otherwise the board name is used.
 */
export function amdRow(facts: DeviceFacts): Hardware | undefined {
  const texts = [facts.name, facts.boardNameAmd ?? ""];
  for (const [pattern, row] of rows) if (texts.some((text) => pattern.test(text))) return row;
  return undefined;
}

/**
 * Creates a row from the wave slots and LDS of a compute unit. The number of groups is limited only by the wave slots.
 */
function row(
  family: string,
  simdGroupSize: number,
  waves: number,
  ldsKiB: number,
  localMemory: Pick<Hardware, "localMemory"> = { localMemory: { banks: 32, simultaneous: 32 } },
): Hardware {
  return {
    family,
    simdGroupSize,
    ...localMemory,
    residency: {
      workItems: waves * simdGroupSize,
      groups: waves,
      localBytes: ldsKiB * 1024,
      reservedBytesPerGroup: 0,
    },
  };
}

const gcn = row("AMD GCN", 64, 40, 64);
const cdna = row("AMD CDNA", 64, 32, 64);
// It has 64 banks (as modeled in ROCm's rocRoller); the number of simultaneous work-items is not documented.
const cdna4 = row("AMD CDNA 4", 64, 32, 160, {});
const rdna1 = row("AMD RDNA", 32, 40, 64);
const rdna = row("AMD RDNA 2 to 4", 32, 32, 64);
// Pre-GCN: wavefronts of 64, or fewer on small chips; Optimization, appendix on the HD 5000 and 6000 series.
const rows: readonly (readonly [RegExp, Hardware])[] = [
  [/\bgfx[678]\w\w\b/i, gcn], // LLVM: gfx600 to gfx810 are GCN 1 to 3; Optimization: 40 waves, 32 banks
  [/\bgfx90[024569c]\b/i, gcn], // LLVM: Vega and its APUs are GCN 5; specs: 64, 64 KiB
  [/\bgfx(908|90a|94\w)\b/i, cdna], // specs: CDNA 1 to 3, 64, 64 KiB; profiler: 32 waves, 32 banks
  [/\bgfx950\b/i, cdna4], // specs: CDNA 4, 64, 160 KiB
  [/\bgfx101\w\b/i, rdna1], // specs: 32, LLVM; RDNA: 20 waves of each of two SIMDs
  [/\bgfx(103\w|11\w\w|120\w)\b/i, rdna], // specs: 32, LLVM; RDNA 2's ISA guide: 16 waves of each SIMD
  [/\b(navi\s?1\d|RX 5[3-7]00|Pro 5[3-7]00M?|W5[57]00X?)\b/i, rdna1], // specs: RDNA
  [/\b(navi\s?[2-4]\d|RX [679]\d[05-7]0|W[67][6-9]00X?)\b/i, rdna], // specs: RDNA 2, 3, 4
  [/\b(MI100|MI2[15]0X?|MI300[AX]|MI325X)\b/i, cdna], // specs: CDNA 1, 2, 3
  [/\b(MI350X|MI355X)\b/i, cdna4], // specs: CDNA 4
  [/\b(vega|polaris|fiji|tonga|hawaii|bonaire|tahiti|pitcairn|ellesmere|baffin|radeon vii|MI[568]0?)\b/i, gcn], // LLVM: products of gfx600 to gfx906
  [/\b(RX [45][5-9]0|Pro 5[5-9]0X?|Pro (4[56]0|[45]60X?)|R[579] [23]\d0X?|FirePro D[357]00)\b/i, gcn], // LLVM: products of gfx600 to gfx803
];
