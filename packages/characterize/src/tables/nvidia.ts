/**
 * NVIDIA GPUs by compute capability.
 *
 * Sources, by their names in the rows: "guide", the CUDA C++ Programming Guide, "Technical Specifications per Compute
 * Capability" and, for banks, its sections on each capability; "Ampere", "Hopper", "Blackwell", the tuning guides for
 * those architectures, "Occupancy" and "Unified Shared Memory": since 8.0, CUDA reserves 1 KiB in each block. A
 * work-group can use all of the at most 48 KiB that OpenCL reports; the reserved part matters when several groups share
 * a multiprocessor.
 */
import type { DeviceFacts } from "../device/facts.js";
import type { Hardware } from "./row.js";

/** Returns the row of a GPU whose driver reports its compute capability. */
export function nvidiaRow(facts: DeviceFacts): Hardware | undefined {
  const { computeCapabilityMajorNv: major, computeCapabilityMinorNv: minor } = facts;
  if (major === undefined || minor === undefined) return undefined;
  return rows.get(`${major}.${minor}`);
}

const rows: ReadonlyMap<string, Hardware> = new Map(
  (
    [
      // capability, work-items, groups and KiB of local memory per multiprocessor
      ["1.0", 768, 8, 16], // guide 4.0, table F-2, and F.3.3: 16 banks, requests of half a warp
      ["1.1", 768, 8, 16], // guide 4.0, table F-2
      ["1.2", 1024, 8, 16], // guide 4.0, table F-2
      ["1.3", 1024, 8, 16], // guide 4.0, table F-2
      ["2.0", 1536, 8, 48], // guide 7.0, table 13, and G.3.3: 32 banks of 4 bytes, requests of a warp
      ["2.1", 1536, 8, 48], // guide 7.0, table 13
      ["3.0", 2048, 16, 48], // guide 9.0, table 14, and H.3.3: 32 banks of 4 or 8 bytes, 4 by default
      ["3.2", 2048, 16, 48], // guide 9.0, table 14
      ["3.5", 2048, 16, 48], // guide 11, table 15
      ["3.7", 2048, 16, 112], // guide 11, table 15
      ["5.0", 2048, 32, 64], // guide 12, table 21, "Compute Capability 5.x": 32 banks of 4 bytes
      ["5.2", 2048, 32, 96], // guide 12, table 21
      ["5.3", 2048, 32, 64], // guide 12, table 21
      ["6.0", 2048, 32, 64], // guide 12, table 21, "Compute Capability 6.x"
      ["6.1", 2048, 32, 96], // guide 12, table 21
      ["6.2", 2048, 32, 64], // guide 12, table 21
      ["7.0", 2048, 32, 96], // guide 12, table 21, "Compute Capability 7.x"
      ["7.2", 2048, 32, 96], // guide 12, table 21
      ["7.5", 1024, 16, 64], // guide 12, table 21
      ["8.0", 2048, 32, 164], // Ampere
      ["8.6", 1536, 16, 100], // Ampere
      ["8.7", 1536, 16, 164], // guide 12, table 21
      ["8.9", 1536, 24, 100], // guide 12, table 21
      ["9.0", 2048, 32, 228], // Hopper
      ["10.0", 2048, 32, 228], // Blackwell
      ["10.3", 2048, 32, 228], // guide 13, table 30
      ["11.0", 1536, 24, 228], // guide 13, table 30
      // For 12.0, Blackwell lists 128 KiB including L1 and 32 groups. The guide's table lists the limits, 100 and 24;
      // Blackwell, too, limits a block to 99 KiB.
      ["12.0", 1536, 24, 100], // guide 13, table 30
      ["12.1", 1536, 24, 100], // guide 13, table 30
    ] as const
  ).map(([capability, workItems, groups, localKiB]) => {
    const major = Number.parseInt(capability, 10);
    const banks = major < 2 ? 16 : 32;
    const row: Hardware = {
      family: `NVIDIA, compute capability ${capability}`,
      simdGroupSize: 32,
      localMemory: { banks, simultaneous: banks },
      residency: { workItems, groups, localBytes: localKiB * 1024, reservedBytesPerGroup: major < 8 ? 0 : 1024 },
    };
    return [capability, row] as const;
  }),
);
