/** Lists of memory objects and pointers that a driver retains by address, as NVIDIA's does. Uses the fake driver. */
import { expect, test } from "vitest";

import { onFake } from "./support/on-fake.js";

const migrations = `
  const buffers = Array.from({ length: 40 }, () => new DeviceBuffer(context, 8));
  for (let i = 0; i < 30; i++) await queue.enqueueMigrate(buffers.slice(i, i + 8)).wait();
  for (const buffer of buffers) buffer.release();`;
const svmMigrations = `
  const blocks = Array.from({ length: 40 }, (_, i) => new SvmAllocation(context, 64 + i));
  for (let i = 0; i < 30; i++) await queue.enqueueSvmMigrate(blocks.slice(i, i + 8)).wait();
  for (const block of blocks) block.release();`;
const svmFrees = `
  for (let i = 0; i < 30; i++) await new SvmAllocation(context, 64).enqueueRelease(queue).wait();`;
const external = `
  const handleType = ExternalMemoryHandleType.OPAQUE_FD_KHR;
  const path = join(process.env.XDG_CACHE_HOME, "memory");
  writeFileSync(path, new Uint8Array(64));
  const shared = Array.from({ length: 20 }, () =>
    importBuffer(context, { handleType, fd: openSync(path, "r+"), size: 64 }));
  for (let i = 0; i < 12; i++) {
    await queue.enqueueAcquireExternal(shared.slice(i, i + 8)).wait();
    await queue.enqueueReleaseExternal(shared.slice(i, i + 8)).wait();
  }
  for (const buffer of shared) buffer.release();`;

test.each([
  ["migrated buffers", migrations],
  ["migrated SVM", svmMigrations],
  ["freed SVM", svmFrees],
  ["acquired and released external memory", external],
])("keeps the lists of %s unchanged after the commands complete", async (_, script) => {
  const { lines } = await onFake(
    `
      import { openSync, writeFileSync } from "node:fs";
      import { join } from "node:path";
      for (const outOfOrder of [false, true]) {
        const queue = new CommandQueue(context, { outOfOrder });
        ${script}
        await queue.finish();
      }
      console.log("done");`,
    { env: { FAKE_CL_KEEPS_LISTS: "1", FAKE_CL_EXTENSIONS: "all" } },
  );
  expect(lines).toEqual(["done"]);
});

test.each([false, true])("returns one event for all migrated objects (out of order: %s)", async (outOfOrder) => {
  const { lines, report } = await onFake(`
    const own = new CommandQueue(context, { outOfOrder: ${outOfOrder} });
    const buffers = [1, 2, 3].map((n) => new DeviceBuffer(context, 8 * n));
    process.env.FAKE_CL_EVENTS = "manual";
    const event = own.enqueueMigrate(buffers);
    own.flush();
    const before = event.status;
    own.finishSync();
    console.log(before > 0, event.status);
    for (const one of [event, ...buffers]) one.release();`);
  expect(lines).toEqual(["true 0"]);
  expect(report).toMatchObject({ live: { event: 0, mem: 0 } });
});
