import { DeviceType, NotSupportedError } from "@cl/core";
import { describe, expect, test } from "vitest";
import { errorLike } from "@cl/testing/error-like";

import type { DeviceFacts } from "../../src/device/facts.js";
import {
  localMemoryBankCountOf,
  simultaneousWorkItemsOf,
  usableLocalMemorySizeOf,
} from "../../src/questions/local-memory.js";
import { simdGroupSizeOf } from "../../src/questions/simd-group-size.js";
import { hardwareOf } from "../../src/tables/hardware.js";
import {
  adrenoDevice,
  amdDevice,
  appleDevice,
  cpuDevice,
  describeDevice,
  intelDevice,
  maliDevice,
  nvidiaDevice,
  platforms,
} from "./described-devices.js";
import { warningsOf } from "./warnings.js";

/** Family, SIMD group size, number of banks, and number of work-items that access them simultaneously. */
type Row = readonly [facts: DeviceFacts, family: string, simd: number, banks: number, simultaneous: number];

describe("GPUs in the tables", () => {
  const rows: readonly Row[] = [
    [nvidiaDevice(1, 3), "NVIDIA, compute capability 1.3", 32, 16, 16],
    [nvidiaDevice(3, 5), "NVIDIA, compute capability 3.5", 32, 32, 32],
    [nvidiaDevice(9, 0), "NVIDIA, compute capability 9.0", 32, 32, 32],
    [nvidiaDevice(12, 1), "NVIDIA, compute capability 12.1", 32, 32, 32],
    [amdDevice("gfx803"), "AMD GCN", 64, 32, 32],
    [amdDevice("gfx906:sramecc+:xnack-"), "AMD GCN", 64, 32, 32],
    [amdDevice("gfx90a:sramecc+:xnack-"), "AMD CDNA", 64, 32, 32],
    [amdDevice("gfx90c"), "AMD GCN", 64, 32, 32],
    [amdDevice("gfx942:sramecc+:xnack-"), "AMD CDNA", 64, 32, 32],
    [amdDevice("gfx1010:xnack-"), "AMD RDNA", 32, 32, 32],
    [amdDevice("gfx1030"), "AMD RDNA 2 to 4", 32, 32, 32],
    [amdDevice("gfx1201"), "AMD RDNA 2 to 4", 32, 32, 32],
    [amdDevice("AMD Radeon RX 6700 XT (radeonsi, navi22, LLVM 15.0.7)"), "AMD RDNA 2 to 4", 32, 32, 32],
    [amdDevice("AMD Radeon RX 9070 XT"), "AMD RDNA 2 to 4", 32, 32, 32],
    [appleDevice("AMD Radeon Pro 5500M Compute Engine", "AMD"), "AMD RDNA", 32, 32, 32],
    [appleDevice("AMD Radeon Pro 560X Compute Engine", "AMD"), "AMD GCN", 64, 32, 32],
    [amdDevice("Ellesmere", { boardNameAmd: "AMD Radeon RX 580 Series" }), "AMD GCN", 64, 32, 32],
    [intelDevice("Intel(R) HD Graphics 530"), "Intel Gen9", 32, 16, 16],
    [intelDevice("Intel(R) Iris(R) Plus Graphics G7"), "Intel Gen11", 32, 16, 16],
    [intelDevice("Intel(R) Iris(R) Xe Graphics"), "Intel Xe LP", 32, 16, 16],
    [intelDevice("Intel(R) UHD Graphics 770"), "Intel Xe LP", 32, 16, 16],
    [intelDevice("Intel(R) Arc(TM) A770 Graphics"), "Intel Xe HPG", 32, 16, 16],
    [intelDevice("Intel(R) Arc(TM) B580 Graphics"), "Intel Xe2", 32, 16, 16],
    [intelDevice("Intel(R) Data Center GPU Max 1550"), "Intel Xe HPC", 32, 16, 16],
  ];

  test.each(rows.map((row) => [row[0].name, ...row] as const))("%s", (_, facts, family, simd, banks, simultaneous) => {
    const warnings = warningsOf(() => {
      expect(hardwareOf(facts)?.family).toBe(family);
      expect(simdGroupSizeOf(facts)).toBe(simd);
      expect(localMemoryBankCountOf(facts)).toBe(banks);
      expect(simultaneousWorkItemsOf(facts)).toBe(simultaneous);
    });
    expect(warnings).toEqual([]);
  });
});

test("every compute capability up to 12.1 has a row with consistent values", () => {
  const capabilities = [10, 11, 12, 13, 20, 21, 30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90];
  const all = [...capabilities.map((c) => [Math.floor(c / 10), c % 10]), [10, 0], [10, 3], [11, 0], [12, 0], [12, 1]];
  for (const [major, minor] of all as [number, number][]) {
    const residency = hardwareOf(nvidiaDevice(major, minor))?.residency;
    expect(residency, `${major}.${minor}`).toBeDefined();
    expect((residency?.workItems ?? 1) % 32).toBe(0);
    // From 8.0 on, CUDA reserves 1 KiB per group.
    expect(residency?.reservedBytesPerGroup).toBe(major < 8 ? 0 : 1024);
    const shown = major < 2 ? 16_384 : 49_152;
    expect(residency?.localBytes).toBeGreaterThanOrEqual(shown);
  }
});

test("usable local memory excludes arguments on old NVIDIA GPUs, and the driver's share on new ones", () => {
  const old = nvidiaDevice(1, 3, { localMemSize: 16_384 });
  expect(usableLocalMemorySizeOf(old)).toBe(16_128);
  expect(usableLocalMemorySizeOf(old, 0)).toBe(16_384);
  expect(usableLocalMemorySizeOf(old, 10)).toBe(16_344);
  expect(usableLocalMemorySizeOf(old, 1_000_000)).toBe(0);
  expect(usableLocalMemorySizeOf(nvidiaDevice(2, 0), 10)).toBe(49_136);
  expect(usableLocalMemorySizeOf(nvidiaDevice(9, 0))).toBe(49_136);
  expect(usableLocalMemorySizeOf(cpuDevice(platforms.pocl, "AuthenticAMD"), 10)).toBe(1_048_576);
});

describe("the SIMD group size of", () => {
  test("CPUs is 1 for every vendor, because the compiler vectorizes", () => {
    for (const vendor of ["AuthenticAMD", "GenuineIntel", "Intel(R) Corporation", "Advanced Micro Devices, Inc."]) {
      expect(simdGroupSizeOf(cpuDevice(platforms.pocl, vendor))).toBe(1);
    }
  });

  test("Intel devices is not AMD's, although 'Corporation' contains 'ati'", () => {
    const fpga = describeDevice({ vendor: "Intel(R) Corporation", name: "FPGA", type: DeviceType.ACCELERATOR });
    const warnings = warningsOf(() => expect(simdGroupSizeOf(fpga)).toBeUndefined());
    expect(warnings).toHaveLength(1);
  });

  test("AMD GPUs is the driver's value, before the table's", () => {
    expect(simdGroupSizeOf(amdDevice("gfx1030", { wavefrontWidthAmd: 64 }))).toBe(64);
  });

  test("NVIDIA GPUs is 32 even if the driver does not report it", () => {
    const name = { name: "NVIDIA GeForce", vendor: "NVIDIA Corporation" };
    expect(simdGroupSizeOf(describeDevice({ ...name, platform: platforms.pocl }))).toBe(32);
  });

  test("Intel GPUs is the sub-group size, even if the driver prefers a multiple", () => {
    const name = "Intel(R) Arc(TM) A770 Graphics";
    expect(simdGroupSizeOf(intelDevice(name, { preferredWorkGroupSizeMultiple: 16 }))).toBe(16);
    expect(simdGroupSizeOf(intelDevice(name, { preferredWorkGroupSizeMultiple: 64 }))).toBe(32);
    const unanswered = { preferredWorkGroupSizeMultiple: undefined, subGroupSizesIntel: undefined };
    expect(warningsOf(() => expect(simdGroupSizeOf(intelDevice(name, unanswered))).toBeUndefined())).toHaveLength(1);
  });

  test("Apple silicon, Mali and Adreno is the table's value or the driver's preferred multiple", () => {
    expect(simdGroupSizeOf(appleDevice("Apple M1"))).toBe(32);
    expect(simdGroupSizeOf(maliDevice("Mali-G71"))).toBe(4);
    expect(simdGroupSizeOf(maliDevice("Mali-G76 r0p0"))).toBe(8);
    expect(simdGroupSizeOf(maliDevice("Mali-G710"))).toBe(16);
    expect(simdGroupSizeOf(maliDevice("Immortalis-G925"))).toBe(16);
    expect(simdGroupSizeOf(adrenoDevice({ preferredWorkGroupSizeMultiple: 64 }))).toBe(64);
  });
});

test("local memory without banks throws, on CPUs and on Mali", () => {
  for (const facts of [cpuDevice(platforms.pocl, "AuthenticAMD"), maliDevice("Mali-G710")]) {
    expect(() => localMemoryBankCountOf(facts)).toThrow(errorLike(NotSupportedError, "ERR_CL_NOT_SUPPORTED"));
  }
  expect(simultaneousWorkItemsOf(cpuDevice(platforms.pocl, "AuthenticAMD"))).toBe(1);
});

test("AMD's driver takes precedence over the table for banks", () => {
  expect(localMemoryBankCountOf(amdDevice("gfx950", { localMemBanksAmd: 64 }))).toBe(64);
});

describe("without a table entry", () => {
  const unknown = (): readonly DeviceFacts[] => [
    appleDevice("Apple M2 Max"),
    adrenoDevice(),
    nvidiaDevice(13, 0),
    amdDevice("gfx1399"),
    describeDevice({}),
  ];

  test("the result is undefined, and one warning per device and query suggests a measurement", () => {
    for (const facts of unknown()) {
      const warnings = warningsOf(() => {
        for (let round = 0; round < 3; round++) {
          expect(localMemoryBankCountOf(facts)).toBeUndefined();
          expect(simultaneousWorkItemsOf(facts)).toBeUndefined();
        }
      });
      expect(warnings.map(({ question }) => question)).toEqual([
        "localMemoryBankCount",
        "simultaneousWorkItemsOnLocalAccess",
      ]);
      for (const warning of warnings) {
        expect(warning).toMatchObject({ code: "WARN_CL_CHARACTERIZATION", device: facts.name });
        expect(warning.message).toMatch(/'await characterize\(device\)'.*'measured'/);
      }
    }
  });

  test("banks measured by characterize() answer both queries", () => {
    const measured = { localMemoryBankCount: 32 };
    for (const facts of unknown()) expect(simultaneousWorkItemsOf(facts, measured)).toBe(32);
    expect(simultaneousWorkItemsOf(cpuDevice(platforms.pocl, "x"), measured)).toBe(1);
  });

  test("the warning about the SIMD group size suggests a kernel", () => {
    const [warning] = warningsOf(() => expect(simdGroupSizeOf(describeDevice({}))).toBeUndefined());
    expect(warning?.message).toContain("'await reasonableWorkGroupSizeMultiple(device)'");
  });

  test("a measurement is used without a warning", () => {
    const measured = { localMemoryBankCount: 64, simultaneousWorkItemsOnLocalAccess: 32, simdGroupSize: 16 };
    const warnings = warningsOf(() => {
      for (const facts of [...unknown(), nvidiaDevice(9, 0), cpuDevice(platforms.pocl, "x")]) {
        expect(localMemoryBankCountOf(facts, measured)).toBe(64);
        expect(simultaneousWorkItemsOf(facts, measured)).toBe(32);
        expect(simdGroupSizeOf(facts, measured)).toBe(16);
      }
    });
    expect(warnings).toEqual([]);
  });
});
