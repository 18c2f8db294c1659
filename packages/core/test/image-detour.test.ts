import { expect, test } from "vitest";

import { runWithFake } from "./fake-opencl/run.js";

test("a driver that copies no images of a 1-D array to buffers or back, as NVIDIA's, gets them by way of the host", async () => {
  const { stdout, report } = await runWithFake(`
    import { CommandQueue, Context, DeviceBuffer, Image, ImageFormat } from "@cl/core";
    const context = Context.create();
    const queue = new CommandQueue(context);
    const pixels = Uint8Array.from({ length: 7 * 3 * 4 }, (_, i) => i);
    const image = new Image(context, { format: new ImageFormat("RGBA", "UNSIGNED_INT8"), shape: [7, 3], array: true });
    const buffer = new DeviceBuffer(context, 100);
    queue.writeSync(image, pixels);
    process.env.FAKE_CL_FAIL = "clEnqueueCopyImageToBuffer=-30,clEnqueueCopyBufferToImage=-30";
    await queue.enqueueCopy(buffer, image, { targetOffset: 8, sourceOrigin: [1, 1], region: [5, 2] }).wait();
    const part = queue.readSync(buffer, Uint8Array, { offset: 8, length: 40 });
    const expected = [...pixels.subarray(32, 52), ...pixels.subarray(60, 80)];
    await queue.enqueueCopy(image, buffer, { sourceOffset: 8, region: [5, 2] }).wait();
    const back = queue.readSync(image);
    const refused = (() => {
      try {
        const flat = new Image(context, { format: image.format, shape: [7, 3] });
        queue.enqueueCopy(new DeviceBuffer(context, 84), flat);
      } catch (error) {
        return error.code;
      }
    })();
    console.log(part.join() === expected.join(), back.subarray(0, 20).join() === expected.slice(0, 20).join(), refused);
  `);
  expect(stdout.trim()).toBe("true true CL_INVALID_VALUE");
  expect(report).toMatchObject({ misuse: 0, notes: [] });
});
