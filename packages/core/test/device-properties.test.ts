/**
 * Compares a device's properties with the driver's raw bytes. The query numbers are copied from cl.h, so that the test
 * does not depend on the package's constants and decoders.
 */
import { describe, expect, test } from "vitest";
import { type Device, getPlatforms } from "@cl/core";

type Read = (bytes: DataView) => unknown;

const uint: Read = (bytes) => bytes.getUint32(0, true);
const bool: Read = (bytes) => bytes.getUint32(0, true) !== 0;
const long: Read = (bytes) => Number(bytes.getBigUint64(0, true));
const longs: Read = (bytes) =>
  Array.from({ length: bytes.byteLength / 8 }, (_, i) => Number(bytes.getBigUint64(8 * i, true)));
const text: Read = (bytes) => new TextDecoder().decode(bytes).replace(/\0.*$/s, "");
const words: Read = (bytes) => (text(bytes) as string).split(" ").filter((word) => word !== "");
const bit =
  (mask: bigint): Read =>
  (bytes) =>
    (bytes.getBigUint64(0, true) & mask) !== 0n;

const queries = {
  type: [0x1000, long],
  vendorId: [0x1001, uint],
  maxComputeUnits: [0x1002, uint],
  maxWorkItemDimensions: [0x1003, uint],
  maxWorkGroupSize: [0x1004, long],
  maxWorkItemSizes: [0x1005, longs],
  maxClockFrequency: [0x100c, uint],
  addressBits: [0x100d, uint],
  maxReadImageArgs: [0x100e, uint],
  maxWriteImageArgs: [0x100f, uint],
  maxMemAllocSize: [0x1010, long],
  hasImageSupport: [0x1016, bool],
  maxParameterSize: [0x1017, long],
  globalMemSize: [0x101f, long],
  maxConstBufferSize: [0x1020, long],
  hasLocalMem: [0x1022, (bytes) => uint(bytes) === 1],
  localMemSize: [0x1023, long],
  profilingTimerResolution: [0x1025, long],
  available: [0x1027, bool],
  compilerAvailable: [0x1028, bool],
  hasNativeKernel: [0x1029, bit(2n)],
  queueProperties: [0x102a, long],
  hasQueueOutOfOrderExecMode: [0x102a, bit(1n)],
  hasQueueProfiling: [0x102a, bit(2n)],
  name: [0x102b, text],
  vendor: [0x102c, text],
  driverVersion: [0x102d, text],
  profile: [0x102e, text],
  version: [0x102f, text],
  extensions: [0x1030, words],
  hostUnifiedMemory: [0x1035, bool],
} satisfies Partial<Record<Exclude<keyof Device, "toString">, readonly [param: number, read: Read]>>;

const devices = getPlatforms().flatMap((platform) => platform.devices);

describe.each(devices.map((device) => [device.name, device] as const))("%s", (_, device) => {
  const raw = (param: number): DataView => {
    const bytes = device.getInfo(param);
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };

  test.each(Object.entries(queries))("%s matches the driver's raw answer", (name, [param, read]) => {
    expect(device[name as keyof typeof queries]).toEqual(read(raw(param)));
  });

  test("platform, maxImage2dShape and maxImage3dShape combine several queries", () => {
    expect(device.platform.pointer).toBe(raw(0x1031).getBigUint64(0, true));
    expect(device.maxImage2dShape).toEqual([long(raw(0x1011)), long(raw(0x1012))]);
    expect(device.maxImage3dShape).toEqual([long(raw(0x1013)), long(raw(0x1014)), long(raw(0x1015))]);
  });
});
