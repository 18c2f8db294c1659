/** Kernels that read and write images of each type, access and format. */
import { beforeEach, describe, expect, test } from "vitest";
import {
  type ChannelTypeName,
  DeviceBuffer,
  Image,
  ImageFormat,
  imageFromArray,
  type Kernel,
  LaunchList,
  MemObjectType,
  Program,
  supportedImageFormats,
} from "@cl/core";

import { isPoclBefore } from "@cl/core/internal";
import { notSupported } from "@cl/testing/core-errors";
import { wrongType } from "@cl/testing/error-like";
import { extentIn, imageKinds, imageOf, pixelsIn } from "./support/images.js";
import { needs } from "@cl/base/testing";
import { sample } from "@cl/testing/level";
import { context, device, queue } from "./support/kernels.js";

beforeEach((run) => needs(run, device.imageSupport, `'${device.name}' has no images`));

/** The OpenCL C type of each kind of image, and its coordinate expression. */
const inKernels: Readonly<Record<number, readonly [type: string, at: string]>> = {
  [MemObjectType.IMAGE1D]: ["image1d_t", "x"],
  [MemObjectType.IMAGE1D_BUFFER]: ["image1d_buffer_t", "x"],
  [MemObjectType.IMAGE1D_ARRAY]: ["image1d_array_t", "(int2)(x, y)"],
  [MemObjectType.IMAGE2D]: ["image2d_t", "(int2)(x, y)"],
  [MemObjectType.IMAGE2D_ARRAY]: ["image2d_array_t", "(int4)(x, y, z, 0)"],
  [MemObjectType.IMAGE3D]: ["image3d_t", "(int4)(x, y, z, 0)"],
};

/** A kernel that doubles every channel, and copies the pixels to a buffer, row by row and slice by slice. */
function doubling(type: string, at: string): string {
  const pragma = type === "image3d_t" ? "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n" : "";
  return `${pragma}
    __kernel void twice(__read_only ${type} from, __write_only ${type} to, __global uint4 *out, int width, int height) {
      int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
      uint4 pixel = read_imageui(from, ${at});
      write_imageui(to, ${at}, 2 * pixel);
      out[(z * height + y) * width + x] = pixel;
    }`;
}

const kernelOf = (source: string, name: string, options = ""): Kernel =>
  new Program(context, source).buildSync({ options }).kernel(name) as Kernel;

/** PoCL before version 4 aborts the process if such an image is the kernel's only memory argument. */
const loneImageFails = isPoclBefore(device.platform, 4);

const uint8 = new ImageFormat("RGBA", "UNSIGNED_INT8");
const canWrite = (type: number): boolean =>
  type !== MemObjectType.IMAGE3D ||
  device.hasExtension("cl_khr_3d_image_writes") ||
  device.openclCFeatures.some(({ name }) => name === "__opencl_c_3d_image_writes");

describe.each(sample(imageKinds, 4))("kernels and $name images", (kind) => {
  const [type, at] = inKernels[kind.type] as readonly [string, string];
  const extent = extentIn(kind.shape);
  const [width, height] = extent;

  beforeEach((run) => needs(run, canWrite(kind.type), `kernels on '${device.name}' cannot write 3-D images`));

  let kernel: Kernel | undefined;
  const twice = (): Kernel => (kernel ??= kernelOf(doubling(type, at), "twice"));

  test("read and write pixels, indexed by x, y and z in the order of the shape", () => {
    const [from, to] = [imageOf(context, kind, uint8), imageOf(context, kind, uint8)];
    const pixels = Uint8Array.from({ length: 4 * pixelsIn(kind.shape) }, (_, i) => i % 127);
    queue.writeSync(from, pixels);
    const where = DeviceBuffer.empty(context, Uint32Array, 4 * pixelsIn(kind.shape));
    const global = [...extent];
    twice().launch(queue, { global }, from, to, where, width, height);
    expect(queue.readSync(to)).toEqual(pixels.map((value) => 2 * value));
    expect([...queue.readSync(where)]).toEqual([...pixels]);
  });

  test("reject images of another kind and buffers", (run) => {
    needs(run, twice().argTypes[0]?.includes("image") === true, "the runtime has no argument types");
    const others = imageKinds.filter((one) => one.type !== kind.type).map((one) => imageOf(context, one, uint8));
    for (const wrong of [...others, new DeviceBuffer(context, 16), null]) {
      expect(() => twice().setArg(0, wrong)).toThrow(wrongType());
    }
  });
});

test("a kernel whose only memory is a 1-D image over a buffer works or throws", () => {
  const kernel = kernelOf(
    `__kernel void look(__read_only image1d_buffer_t image, __global uint *out, __global uint *more) {
      if (out) *out = read_imageui(image, 1).x;
    }`,
    "look",
  );
  const buffer = DeviceBuffer.from(context, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
  const image = new Image(context, { format: uint8, shape: [2], buffer });
  for (const one of [image, Image.fromPointer(context, image.pointer)]) {
    const alone = (): void => kernel.launchAndFinishSync(queue, { global: 1 }, one, null, null);
    if (loneImageFails) expect(alone).toThrow(notSupported());
    else alone();
    const out = DeviceBuffer.empty(context, Uint32Array, 1);
    kernel.launch(queue, { global: 1 }, one, out, null);
    expect(queue.readSync(out)[0]).toBe(5);
    if (loneImageFails) {
      expect(() => kernel.bind({ global: 1 }, one, null, null).launch(queue)).toThrow(notSupported());
    }
  }
});

const readFloats =
  "__kernel void look(__read_only image2d_t image, __global float4 *out) { *out = read_imagef(image, (int2)(0)); }";

/** Stored pixels and the values that read_imagef returns. */
const normalized: readonly (readonly [ChannelTypeName, ArrayLike<number> & ArrayBufferView, readonly number[]])[] = [
  ["UNORM_INT8", Uint8Array.of(0, 255, 51, 102), [0, 1, 0.2, 0.4]],
  ["SNORM_INT8", Int8Array.of(-128, -127, 0, 127), [-1, -1, 0, 1]],
  ["UNORM_INT16", Uint16Array.of(0, 65535, 13107, 26214), [0, 1, 0.2, 0.4]],
  ["SNORM_INT16", Int16Array.of(-32768, -32767, 0, 32767), [-1, -1, 0, 1]],
  ["HALF_FLOAT", Uint16Array.of(0, 0x3c00, 0xc000, 0x3800), [0, 1, -2, 0.5]],
  ["FLOAT", Float32Array.of(0, 1, -2, 0.5), [0, 1, -2, 0.5]],
];

test.for(normalized)("%s pixels are read as floats", ([type, stored, seen], run) => {
  const format = new ImageFormat("RGBA", type);
  const isSupported = supportedImageFormats(context).some((one) => one.equals(format));
  needs(run, isSupported, `${String(format)} is not supported`);
  const image = new Image(context, { format, shape: [1, 1], host: stored, hostPointer: "copy" });
  const out = DeviceBuffer.empty(context, Float32Array, 4);
  kernelOf(readFloats, "look").launch(queue, { global: 1 }, image, out);
  for (const [i, value] of [...queue.readSync(out)].entries()) expect(value).toBeCloseTo(seen[i] as number, 5);
});

test("a kernel can read and write the same image if the device supports it", (run) => {
  const can = device.maxReadWriteImageArgs > 0;
  needs(run, can, `'${device.name}' has no images that kernels both read and write`);
  const image = imageFromArray(context, { data: Uint32Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3] }, { mode: "rw" });
  const source = `__kernel void square(__read_write image2d_t image) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    uint4 value = read_imageui(image, at);
    write_imageui(image, at, value * value);
  }`;
  // OpenCL C 2.0 is optional in OpenCL 3.0, and PoCL 7.1 does not have it. oclgrind has OpenCL 1.2, but its compiler has 2.0.
  const standard = device.version.startsWith("OpenCL 3") ? "-cl-std=CL3.0" : "-cl-std=CL2.0";
  kernelOf(source, "square", standard).launch(queue, { global: [3, 2] }, image);
  expect([...queue.readSync(image)]).toEqual([1, 4, 9, 16, 25, 36]);
});

test("bound kernels and launch lists accept images", () => {
  const [from, to] = [Image.empty(context, uint8, [3, 2]), Image.empty(context, uint8, [3, 2])];
  const [type, at] = inKernels[MemObjectType.IMAGE2D] as readonly [string, string];
  const out = DeviceBuffer.empty(context, Uint32Array, 4 * 6);
  const bound = kernelOf(doubling(type, at), "twice").bind({ global: [3, 2] }, from, to, out, 3, 2);
  queue.enqueueFill(from, [1, 2, 3, 4]);
  new LaunchList(context).push(bound).launch(queue);
  expect([...queue.readSync(to, { origin: [2, 1], region: [1, 1] })]).toEqual([2, 4, 6, 8]);
});
