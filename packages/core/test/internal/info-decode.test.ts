import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ChannelOrder, ChannelType } from "../../src/binding/constants.js";
import * as decode from "../../src/info/decode.js";
import * as structs from "../../src/info/decode-structs.js";

const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const safe = fc.bigInt({ min: 0n, max: BigInt(Number.MAX_SAFE_INTEGER) });
const unsafe = fc.bigInt({ min: BigInt(Number.MAX_SAFE_INTEGER) + 1n, max: 2n ** 64n - 1n });

describe("numbers", () => {
  test("cl_uint, cl_int and cl_bool are four little-endian bytes, at any offset", () => {
    fc.assert(
      fc.property(uint32, fc.nat(7), (value, offset) => {
        const bytes = shifted(words32(value), offset);
        expect(decode.uint32(bytes)).toBe(value);
        expect(decode.int32(bytes)).toBe(value | 0);
        expect(decode.bool(bytes)).toBe(value !== 0);
      }),
    );
  });

  test("cl_float is decoded exactly", () => {
    expect(decode.float32(new Uint8Array(Float32Array.of(1000.5).buffer))).toBe(1000.5);
  });

  test("64-bit quantities that are safe integers are numbers, at any offset", () => {
    fc.assert(
      fc.property(safe, fc.nat(7), (value, offset) => {
        const bytes = shifted(words64(value), offset);
        expect(decode.size(bytes)).toBe(Number(value));
        expect(decode.bitfield(bytes)).toBe(Number(value));
        expect(decode.uint64(bytes)).toBe(Number(value));
      }),
    );
  });

  test("64-bit quantities that are not safe integers are a bigint, or throw an error that shows them", () => {
    fc.assert(
      fc.property(unsafe, (value) => {
        expect(decode.uint64(words64(value))).toBe(value);
        expect(() => decode.size(words64(value))).toThrow(RangeError);
        expect(() => decode.bitfield(words64(value))).toThrow(RangeError);
      }),
    );
  });

  test("times and pointers are bigint", () => {
    fc.assert(
      fc.property(uint64, (value) => {
        expect(decode.time(words64(value))).toBe(value);
        expect(decode.pointer(words64(value))).toBe(value);
      }),
    );
  });

  test("a size_t query decodes a driver's cl_uint, and the reverse", () => {
    expect(decode.size(words32(4096))).toBe(4096);
    expect(decode.bitfield(words32(5))).toBe(5);
    expect(decode.uint32(words64(4096n))).toBe(4096);
  });
});

describe("strings and lists", () => {
  test("a string ends at its NUL, or at the end of the answer", () => {
    expect(decode.string(text("pthread-EPYC\0"))).toBe("pthread-EPYC");
    expect(decode.string(text("pthread-EPYC"))).toBe("pthread-EPYC");
    expect(decode.string(text("one\0two\0\0"))).toBe("one");
    expect(decode.string(text("Grüße 漢\0"))).toBe("Grüße 漢");
    expect(decode.string(new Uint8Array())).toBe("");
  });

  test("extensions are split at spaces, kernel names at semicolons, and empty lists are empty", () => {
    expect(decode.spaceList(text("cl_khr_fp64  cl_khr_fp16 \0"))).toEqual(["cl_khr_fp64", "cl_khr_fp16"]);
    expect(decode.semicolonList(text("saxpy;dot product;\0"))).toEqual(["saxpy", "dot product"]);
    expect(decode.spaceList(text("\0"))).toEqual([]);
    expect(decode.semicolonList(new Uint8Array())).toEqual([]);
  });

  test("arrays have as many elements as fit in the answer", () => {
    fc.assert(
      fc.property(fc.array(safe, { maxLength: 20 }), fc.array(uint32, { maxLength: 20 }), (wide, narrow) => {
        expect(decode.sizes(words64(...wide))).toEqual(wide.map(Number));
        expect(decode.propertyList(words64(...wide))).toEqual(wide);
        expect(decode.pointers(words64(...wide))).toEqual(wide);
        expect(decode.uint32s(words32(...narrow))).toEqual(narrow);
        expect(decode.int32s(words32(...narrow))).toEqual(narrow.map((one) => one | 0));
      }),
    );
  });

  test("partition lists are signed, and the kinds omit the zero for none", () => {
    const names = words64(0x4052n, 0n, 3n, 2n ** 64n - 1n, 0n);
    expect(decode.partitionList(names)).toEqual([0x4052, 0, 3, -1, 0]);
    expect(decode.partitionKinds(words64(0x1086n, 0x1087n, 0n))).toEqual([0x1086, 0x1087]);
    expect(decode.partitionKinds(words64(0n))).toEqual([]);
    expect(decode.partitionKinds(new Uint8Array())).toEqual([]);
  });

  test("raw answers are copies", () => {
    const bytes = text("SPIR-V");
    const copy = decode.raw(bytes);
    bytes.fill(0);
    expect(decode.string(copy)).toBe("SPIR-V");
  });
});

describe("structures", () => {
  test("versions are packed as 10, 10 and 12 bits", () => {
    const part = (bits: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: 2 ** bits - 1 });
    fc.assert(
      fc.property(part(10), part(10), part(12), (major, minor, patch) => {
        const packed = major * 2 ** 22 + minor * 2 ** 12 + patch;
        expect(structs.version(words32(packed))).toBe(`${major}.${minor}.${patch}`);
      }),
    );
  });

  test("name-version lists keep their order", () => {
    const one = (packed: number, name: string): number[] => [...words32(packed), ...text(name.padEnd(64, "\0"))];
    const bytes = Uint8Array.from([...one(0x00c0_0000, "cl_khr_icd"), ...one(0x0040_2003, "x".repeat(63))]);
    expect(structs.nameVersions(bytes)).toEqual([
      { version: "3.0.0", name: "cl_khr_icd" },
      { version: "1.2.3", name: "x".repeat(63) },
    ]);
    expect(structs.nameVersions(new Uint8Array())).toEqual([]);
  });

  test("identifiers are hexadecimal", () => {
    const bytes = Uint8Array.from({ length: 16 }, (_, i) => i * 17);
    expect(structs.uuid(bytes)).toBe("00112233-4455-6677-8899-aabbccddeeff");
    expect(structs.luid(bytes.subarray(0, 8))).toBe("0011223344556677");
  });

  test("a PCI address is four numbers, and an AMD bus above 127 is not negative", () => {
    expect(structs.pciBusInfo(words32(1, 0x81, 2, 3))).toEqual({ domain: 1, bus: 0x81, device: 2, function: 3 });
    const topology = new Uint8Array(24);
    topology.set([1, 0, 0, 0]);
    topology.set([0xe3, 31, 7], 21);
    expect(structs.topologyAmd(topology)).toEqual({ type: 1, bus: 0xe3, device: 31, function: 7 });
  });

  test("image formats, dot products and queue families are decoded field by field", () => {
    expect(structs.imageFormat(words32(ChannelOrder.RGBA, ChannelType.FLOAT))).toEqual({
      order: ChannelOrder.RGBA,
      type: ChannelType.FLOAT,
    });
    expect(structs.dotProductAcceleration(words32(1, 0, 1, 0, 0, 1))).toEqual({
      signed: true,
      unsigned: false,
      mixedSignedness: true,
      accumulatingSaturatingSigned: false,
      accumulatingSaturatingUnsigned: false,
      accumulatingSaturatingMixedSignedness: true,
    });
    const family = Uint8Array.from([
      ...words64(3n, 0x0700_0000n),
      ...words32(4),
      ...text("rcs".padEnd(64, "\0")),
      ...words32(0),
    ]);
    expect(structs.queueFamiliesIntel(family)).toEqual([
      { properties: 3, capabilities: 0x0700_0000, count: 4, name: "rcs" },
    ]);
  });
});

describe("answers of the wrong length", () => {
  test.each<[string, number, decode.Decoder<unknown>]>([
    ["bool", 4, decode.bool],
    ["uint32", 4, decode.uint32],
    ["int32", 4, decode.int32],
    ["float32", 4, decode.float32],
    ["time", 8, decode.time],
    ["version", 4, structs.version],
    ["uuid", 16, structs.uuid],
    ["luid", 8, structs.luid],
    ["pciBusInfo", 16, structs.pciBusInfo],
    ["topologyAmd", 24, structs.topologyAmd],
    ["imageFormat", 8, structs.imageFormat],
    ["dotProductAcceleration", 24, structs.dotProductAcceleration],
  ])("%s of less than %d bytes throws", (_name, length, read) => {
    for (let short = 0; short < length; short++) expect(() => read(new Uint8Array(short))).toThrow(Error);
  });

  test.each([
    ["size", decode.size],
    ["uint64", decode.uint64],
    ["bitfield", decode.bitfield],
    ["pointer", decode.pointer],
  ] as [string, decode.Decoder<unknown>][])(
    "%s takes four bytes or eight, nothing shorter or between",
    (_name, read) => {
      for (const length of [0, 1, 2, 3, 5, 6, 7]) expect(() => read(new Uint8Array(length))).toThrow(Error);
      for (const length of [4, 8]) expect(() => read(new Uint8Array(length))).not.toThrow();
    },
  );
});

function words32(...values: number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(values).buffer);
}

function words64(...values: bigint[]): Uint8Array {
  return new Uint8Array(BigUint64Array.from(values).buffer);
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

/** Copies the bytes to another offset of a larger ArrayBuffer. */
function shifted(bytes: Uint8Array, offset: number): Uint8Array {
  const larger = new Uint8Array(bytes.length + offset + 1).fill(0xff);
  larger.set(bytes, offset);
  return larger.subarray(offset, offset + bytes.length);
}
