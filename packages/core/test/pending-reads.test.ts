/** Writes from host memory that a pending read will fill: the device receives the read's result. */
import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";
import { describe, expect, test } from "vitest";

import { sample } from "@cl/testing/level";
import { onFake } from "./support/on-fake.js";

describe("on a driver that reads host memory when a write is enqueued, like NVIDIA's", () => {
  /** Each reads `a` into host memory and then writes that memory to `b`. */
  const copies = {
    "of bytes": `
      const [a, b] = [DeviceBuffer.from(context, Uint32Array.of(1, 2, 3, 4)), DeviceBuffer.from(context, new Uint32Array(4))];
      const read = queue.enqueueCopy(host, a);
      const write = queue.enqueueCopy(b, host, { waitFor: read });`,
    "of a sub-buffer": `
      const [a, b] = [DeviceBuffer.from(context, Uint32Array.of(1, 2, 3, 4)), DeviceBuffer.from(context, new Uint32Array(4))];
      const read = queue.enqueueCopy(host.subarray(0, 2), a, { bytes: 8 });
      const write = queue.enqueueCopy(b, host, { sourceOffset: 4, bytes: 4, waitFor: read });`,
    "of rectangles": `
      const [a, b] = [DeviceBuffer.from(context, Uint32Array.of(1, 2, 3, 4)), DeviceBuffer.from(context, new Uint32Array(4))];
      const box = { region: [4, 2], sourcePitches: [8], targetPitches: [8] };
      const read = queue.enqueueCopy(host, a, box);
      const write = queue.enqueueCopy(b, host, { ...box, waitFor: read });`,
    "of pixels": `
      const format = new ImageFormat("R", "UNSIGNED_INT32");
      const [a, b] = [0, 1].map(() => new Image(context, { format, shape: [2, 2] }));
      queue.copySync(a, Uint32Array.of(1, 2, 3, 4));
      const read = queue.enqueueCopy(host, a);
      const write = queue.enqueueCopy(b, host, { waitFor: read });`,
    "of SVM": `
      const [a, b] = [new SvmAllocation(context, 16), new SvmAllocation(context, 16)];
      queue.writeSync(a, Uint32Array.of(1, 2, 3, 4));
      queue.writeSync(b, new Uint32Array(4));
      const read = queue.enqueueCopy(host, a);
      const write = queue.enqueueCopy(b, host, { waitFor: read });`,
  };
  const expected: Record<keyof typeof copies, number[]> = {
    "of bytes": [1, 2, 3, 4],
    "of a sub-buffer": [2, 0, 0, 0],
    "of rectangles": [1, 0, 3, 0],
    "of pixels": [1, 2, 3, 4],
    "of SVM": [1, 2, 3, 4],
  };
  const cases = Object.entries(copies).flatMap(([name, script]) =>
    [false, true].flatMap((outOfOrder) =>
      ["never", "always"].map((waiters) => ({ name, script, outOfOrder, waiters })),
    ),
  );

  test.each(sample(cases, 4))(
    "copies $name wait for the read (out of order: $outOfOrder, waiter threads: $waiters)",
    async ({ name, script, outOfOrder, waiters }) => {
      const { lines } = await onFake(
        `{
          const queue = new CommandQueue(context, { outOfOrder: ${outOfOrder} });
          const host = new Uint32Array(4);
          process.env.FAKE_CL_READS_EARLY = "1";
          const manual = () => { process.env.FAKE_CL_EVENTS = "manual"; };
          ${script.replace("const read", "manual();\nconst read")}
          queue.finishSync();
          process.env.FAKE_CL_EVENTS = "";
          await write.wait();
          const got = new Uint32Array(4);
          queue.copySync(got, b);
          console.log(JSON.stringify([...got]));
        }`,
        { env: { FAKE_CL_PLATFORM_NAME: "NVIDIA CUDA", CL_WAITERS: waiters } },
      );
      expect(JSON.parse(lines[0] as string)).toEqual(expected[name as keyof typeof copies]);
    },
  );

  test.each([
    { outOfOrder: false, events: 30 },
    { outOfOrder: true, events: 465 },
  ])(
    "a write waits for the last read of an in-order queue (out of order: $outOfOrder)",
    async ({ outOfOrder, events }) => {
      const { report } = await onFake(
        `{
        const queue = new CommandQueue(context, { outOfOrder: ${outOfOrder} });
        const [a, b] = [new DeviceBuffer(context, 16), new DeviceBuffer(context, 16)];
        const host = new Int32Array(4);
        process.env.FAKE_CL_EVENTS = "manual";
        for (let i = 0; i < 30; i++) {
          const read = queue.enqueueCopy(host, a);
          queue.enqueueCopy(b, host, { waitFor: read });
        }
        queue.finishSync();
      }`,
        { env: { FAKE_CL_PLATFORM_NAME: "NVIDIA CUDA" } },
      );
      expect(report.calls).toMatchObject({ clCreateUserEvent: events, clSetUserEventStatus: events });
    },
  );

  test("a write from memory without pending reads does not wait", async () => {
    const { report } = await onFake(
      `
        const [a, b] = [new DeviceBuffer(context, 16), new DeviceBuffer(context, 16)];
        const host = new Uint32Array(8);
        await queue.enqueueCopy(host.subarray(0, 4), a).wait();
        process.env.FAKE_CL_EVENTS = "manual";
        queue.enqueueCopy(host.subarray(0, 4), a);
        queue.enqueueCopy(b, host.subarray(4));
        queue.finishSync();
      `,
      { env: { FAKE_CL_PLATFORM_NAME: "NVIDIA CUDA" } },
    );
    expect(report.calls).not.toHaveProperty("clCreateUserEvent");
  });
});

describe("on the device", () => {
  const context = Context.create();
  const source = "__kernel void add_one(__global int *x) { x[get_global_id(0)] += 1; }" as const;
  const program = new Program(context, source).buildSync();

  const sizes = [16385, 4, 1024, 16384, 65536].flatMap((count) =>
    [true, false].map((outOfOrder) => ({ count, outOfOrder })),
  );
  test.each(sample(sizes, 2))(
    "$count numbers pass through host memory between kernels (out of order: $outOfOrder)",
    async ({ count, outOfOrder }) => {
      const queue = new CommandQueue(context, { outOfOrder });
      const [a, b] = [DeviceBuffer.from(context, new Int32Array(count)), new DeviceBuffer(context, 4 * count)];
      const host = new Int32Array(count);
      const addOne = program.kernel("add_one");
      for (let n = 1; n <= 50; n++) {
        const added = addOne.enqueue(queue, { global: count }, a);
        const read = queue.enqueueCopy(host, a, { waitFor: added });
        const written = queue.enqueueCopy(b, host, { waitFor: read });
        if (n % 10 > 0) {
          queue.enqueueBarrier(written);
          continue;
        }
        const got = await queue.read(b, Int32Array, { waitFor: written });
        expect(new Set(got)).toEqual(new Set([n]));
      }
    },
  );
});
