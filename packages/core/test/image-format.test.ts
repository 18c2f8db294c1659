/** Image formats: pixel layouts, names, and conversions from C types and dtypes. */
import { inspect } from "node:util";

import { describe, expect, expectTypeOf, test } from "vitest";
import {
  ChannelOrder,
  type ChannelOrderName,
  ChannelType,
  type ChannelTypeName,
  Context,
  ImageFormat,
  MemObjectType,
  NotSupportedError,
  type PixelArray,
  supportedImageFormats,
} from "@cl/core";

import { needs } from "@cl/base/testing";
import { notSupported } from "@cl/testing/core-errors";
import { outOfRange, wrongType } from "@cl/testing/error-like";

/** OpenCL's tables: the number of channels of each order; the bytes, dtype and typed array of each type. */
const orders: Readonly<Record<number, string>> = {
  1: "R A Rx INTENSITY LUMINANCE DEPTH",
  2: "RG RA RGx",
  3: "RGB sRGB",
  4: "RGBA BGRA ARGB ABGR sRGBx sRGBA sBGRA",
};
const channelCounts = Object.entries(orders).flatMap(([count, names]) =>
  (names.split(" ") as ChannelOrderName[]).map((order) => [order, Number(count)] as const),
);
const types: readonly (readonly [ChannelTypeName, number, string, unknown])[] = [
  ["SNORM_INT8", 1, "snorm8", Int8Array],
  ["SNORM_INT16", 2, "snorm16", Int16Array],
  ["UNORM_INT8", 1, "unorm8", Uint8Array],
  ["UNORM_INT16", 2, "unorm16", Uint16Array],
  ["UNORM_SHORT_565", 2, "unorm565", Uint16Array],
  ["UNORM_SHORT_555", 2, "unorm555", Uint16Array],
  ["UNORM_INT_101010", 4, "unorm101010", Uint32Array],
  ["UNORM_INT_101010_2", 4, "unorm101010_2", Uint32Array],
  ["UNORM_INT24", 4, "unorm24", Uint32Array],
  ["SIGNED_INT8", 1, "int8", Int8Array],
  ["SIGNED_INT16", 2, "int16", Int16Array],
  ["SIGNED_INT32", 4, "int32", Int32Array],
  ["UNSIGNED_INT8", 1, "uint8", Uint8Array],
  ["UNSIGNED_INT16", 2, "uint16", Uint16Array],
  ["UNSIGNED_INT32", 4, "uint32", Uint32Array],
  ["HALF_FLOAT", 2, "float16", Uint16Array],
  ["FLOAT", 4, "float32", Float32Array],
];
const everyFormat = channelCounts.flatMap(([order]) => types.map(([type]) => new ImageFormat(order, type)));

describe("an image format", () => {
  test.each(channelCounts)("with channel order %s has %i channels", (order, count) => {
    const format = new ImageFormat(order, "UNSIGNED_INT16");
    expect(format.channelCount).toBe(count);
    expect(format.itemSize).toBe(2 * count);
    expect([format.channelOrder, format.orderName]).toEqual([ChannelOrder[order], order]);
  });

  test.each(types)("with channel type %s has components of %i bytes and the dtype %s", (type, bytes, dtype, array) => {
    const format = new ImageFormat("RGB", type);
    expect(format.componentSize).toBe(bytes);
    expect(format.dtype).toBe(dtype);
    expect(format.arrayType).toBe(array);
    expect([format.channelType, format.typeName]).toEqual([ChannelType[type], type]);
    expect(format.packed).toBe(/_\d{3}|_101010/.test(type));
    expect(format.itemSize).toBe(format.packed ? bytes : 3 * bytes);
  });

  test("can be created from names or values, which are equal", () => {
    const named = new ImageFormat("RGBA", "UNORM_INT8");
    const valued = new ImageFormat(ChannelOrder.RGBA, ChannelType.UNORM_INT8);
    expect(named.equals(valued)).toBe(true);
    expect(named.equals(new ImageFormat("BGRA", "UNORM_INT8"))).toBe(false);
    expect(named.equals(new ImageFormat("RGBA", "UNSIGNED_INT8"))).toBe(false);
    // The string is usable as a map key.
    expect(new Map([[String(named), 1]]).get(String(valued))).toBe(1);
    expect(new Set(everyFormat.map(String)).size).toBe(everyFormat.length);
    expect(named.toString()).toBe("RGBA UNORM_INT8");
    expect(inspect(named)).toBe("ImageFormat(RGBA UNORM_INT8)");
  });

  test("has the kernel-side pixel type", () => {
    expect(new ImageFormat("RGBA", "UNORM_INT8").kernelType).toBe("float4");
    expect(new ImageFormat("R", "HALF_FLOAT").kernelType).toBe("float4");
    expect(new ImageFormat("R", "SIGNED_INT8").kernelType).toBe("int4");
    expect(new ImageFormat("R", "UNSIGNED_INT32").kernelType).toBe("uint4");
    expect(new ImageFormat("DEPTH", "FLOAT").kernelType).toBe("float");
    expect(new ImageFormat("RGBA", "SNORM_INT16")).toMatchObject({ normalized: true, kind: "snorm" });
    expect(new ImageFormat("RGBA", "SIGNED_INT16")).toMatchObject({ normalized: false, kind: "int" });
  });

  test("has a static array type", () => {
    const format = new ImageFormat("RGBA", "UNORM_INT8");
    expectTypeOf(format).toEqualTypeOf<ImageFormat<"UNORM_INT8">>();
    expectTypeOf<PixelArray<"FLOAT">>().toEqualTypeOf<Float32Array<ArrayBuffer>>();
    expectTypeOf<PixelArray<"HALF_FLOAT">>().toEqualTypeOf<Uint16Array<ArrayBuffer>>();
  });

  test("accepts unknown vendor values, whose layout is not available", () => {
    const odd = new ImageFormat(0x4076, 0x10d2);
    expect(String(odd)).toBe("YUYV_INTEL UNORM_INT8");
    expect(String(new ImageFormat(0x7000, 0x7001))).toBe("0x7000 0x7001");
    expect(() => odd.itemSize).toThrow(NotSupportedError);
    expect(() => new ImageFormat(0x10b5, 0x7001).dtype).toThrow(notSupported());
  });
});

describe("format conversion", () => {
  test("with fromDtype inverts order and dtype for every format", () => {
    for (const format of everyFormat) {
      const back = ImageFormat.fromDtype(format.orderName as ChannelOrderName, format.dtype);
      expect(back.equals(format), String(format)).toBe(true);
    }
    expect(() => ImageFormat.fromDtype("R", "float64")).toThrow(wrongType("dtype"));
  });

  test("with fromCType inverts C type, order and normalization", () => {
    let tried = 0;
    for (const format of everyFormat) {
      const { ctype, normalized } = format;
      if (ctype === undefined) continue;
      const order = format.orderName as ChannelOrderName;
      expect(ImageFormat.fromCType(ctype, { order, normalized }).equals(format), `${String(format)} ${ctype}`).toBe(
        true,
      );
      tried++;
    }
    // All formats except packed pixels, three channels and 24 bits.
    expect(tried).toBe(16 * 12);
  });

  test("with fromCType defaults to R, RG or RGBA and to unnormalized integers", () => {
    expect(String(ImageFormat.fromCType("uchar4"))).toBe("RGBA UNSIGNED_INT8");
    expect(String(ImageFormat.fromCType("uchar4", { normalized: true }))).toBe("RGBA UNORM_INT8");
    expect(String(ImageFormat.fromCType("half2"))).toBe("RG HALF_FLOAT");
    expect(String(ImageFormat.fromCType("float"))).toBe("R FLOAT");
    expect(String(ImageFormat.fromCType("short", { normalized: true, order: "A" }))).toBe("A SNORM_INT16");
  });

  test("with fromCType rejects unsupported C types and contradicting options", () => {
    for (const ctype of ["double", "float3", "uchar8", "long", "", "struct"]) {
      expect(() => ImageFormat.fromCType(ctype), ctype).toThrow(wrongType("ctype"));
    }
    for (const ctype of ["float", "int"]) {
      expect(() => ImageFormat.fromCType(ctype, { normalized: true })).toThrow(wrongType("options.normalized"));
    }
    expect(() => ImageFormat.fromCType("uchar4", { order: "RG" })).toThrow(wrongType("options.order"));
  });
});

describe("supported formats", () => {
  const context = Context.create();
  const hasImages = context.devices.some((device) => device.imageSupport);

  test("include those that OpenCL requires for each image type", (run) => {
    needs(run, hasImages, "the device has no images");
    for (const type of [MemObjectType.IMAGE2D, MemObjectType.IMAGE3D, MemObjectType.IMAGE1D]) {
      const texts = supportedImageFormats(context, type, { access: "read-only" }).map(String);
      expect(texts).toEqual(expect.arrayContaining(["RGBA UNORM_INT8", "RGBA UNSIGNED_INT8", "RGBA FLOAT"]));
    }
    const usual = supportedImageFormats(context).map(String);
    expect(usual).toEqual(supportedImageFormats(context, MemObjectType.IMAGE2D).map(String));
    expect(supportedImageFormats(context, undefined, { access: "write-only" }).length).toBeGreaterThan(0);
  });

  test("cannot be queried for other memory types", () => {
    expect(() => supportedImageFormats(context, MemObjectType.BUFFER)).toThrow(outOfRange("type"));
  });
});
