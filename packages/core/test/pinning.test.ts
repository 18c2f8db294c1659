// Host memory stays where it is while a device uses it, whatever happens to the array meanwhile. Each test would write
// through dangling memory if it did not; this file has a process of its own, so a crash is its failure.
import { describe, expect, test } from "vitest";
import { CommandQueue, Context, DeviceBuffer, UserEvent } from "@cl/core";

import { collectGarbage } from "@cl/base/testing";

const context = Context.create();
const queue = new CommandQueue(context);
const rounds = 60;
const size = 1 << 16;

/** Moves an array's memory elsewhere and lets it be collected. */
function transferAway(array: Uint8Array): void {
  structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] });
}

/** Fills the heap with other arrays, where freed memory would be used again. */
function churn(): void {
  for (let i = 0; i < 20; i++) new Uint8Array(size).fill(0xee);
}

describe("an array that is transferred away and collected while a command waits", () => {
  test("is still written from as it was", async () => {
    for (let round = 0; round < rounds; round++) {
      const gate = new UserEvent(context);
      const buffer = DeviceBuffer.empty(context, Uint8Array, size);
      let source: Uint8Array | undefined = new Uint8Array(size).fill(round);
      const event = queue.enqueueCopy(buffer, source, { waitFor: gate });
      transferAway(source);
      source = undefined;
      if (round % 10 === 0) await collectGarbage();
      churn();
      gate.complete();
      await event.wait();
      expect((await queue.read(buffer)).every((value) => value === round)).toBe(true);
      buffer.release();
    }
  });

  test("is still there to be read into", async () => {
    const buffer = DeviceBuffer.from(context, new Uint8Array(size).fill(0xab));
    for (let round = 0; round < rounds; round++) {
      const gate = new UserEvent(context);
      let target: Uint8Array | undefined = new Uint8Array(size);
      const event = queue.enqueueCopy(target, buffer, { waitFor: gate });
      transferAway(target);
      expect(target.length).toBe(0);
      target = undefined;
      if (round % 10 === 0) await collectGarbage();
      const bystanders = Array.from({ length: 20 }, () => new Uint8Array(size));
      gate.complete();
      await event.wait();
      expect(bystanders.every((array) => array.every((value) => value === 0))).toBe(true);
    }
  });

  test("is still there for boxes, both ways", async () => {
    const buffer = new DeviceBuffer(context, { type: Uint8Array, length: size });
    for (let round = 0; round < rounds; round++) {
      const gate = new UserEvent(context);
      const source = new Uint8Array(size).fill(round);
      const target = new Uint8Array(size);
      const region = [size / 4, 4] as const;
      const written = queue.enqueueCopy(buffer, source, { region, waitFor: gate });
      const read = queue.enqueueCopy(target, buffer, { region, waitFor: written });
      transferAway(source);
      transferAway(target);
      if (round % 10 === 0) await collectGarbage();
      churn();
      gate.complete();
      await read.wait();
      expect(queue.readSync(buffer)[size - 1]).toBe(round);
    }
  });

  test("is still there for what a promise waits for", async () => {
    const buffer = DeviceBuffer.from(context, new Uint8Array(size).fill(1));
    for (let round = 0; round < rounds; round++) {
      const gate = new UserEvent(context);
      const into = new Uint8Array(size);
      const array = new Uint8Array(size).fill(round);
      const reading = queue.read(buffer, { into, waitFor: gate });
      const writing = queue.write(buffer, array);
      transferAway(into);
      transferAway(array);
      churn();
      gate.complete();
      expect((await reading).length).toBe(0);
      await writing;
      expect(queue.readSync(buffer)[0]).toBe(round);
    }
  });
});

describe("an array that a buffer lives in", () => {
  test("stays as long as the buffer's last command", async () => {
    for (let round = 0; round < rounds; round++) {
      const gate = new UserEvent(context);
      const host = new Uint8Array(size).fill(round);
      const buffer = new DeviceBuffer(context, { host, hostPointer: "use" });
      const copy = DeviceBuffer.empty(context, Uint8Array, size);
      const event = queue.enqueueCopy(copy, buffer, { waitFor: gate });
      buffer.release();
      transferAway(host);
      if (round % 10 === 0) await collectGarbage();
      churn();
      gate.complete();
      await event.wait();
      expect((await queue.read(copy)).every((value) => value === round)).toBe(true);
    }
  });
});

describe("a read whose promise nobody waits for any more", () => {
  test("has memory until the command is done", async () => {
    const buffer = DeviceBuffer.from(context, new Uint8Array(size).fill(0xab));
    for (let round = 0; round < rounds; round++) {
      const gate = new UserEvent(context);
      const controller = new AbortController();
      const reading = queue.read(buffer, { waitFor: gate, signal: controller.signal });
      controller.abort(new Error("enough"));
      await expect(reading).rejects.toThrow("enough");
      if (round % 10 === 0) await collectGarbage();
      const bystanders = Array.from({ length: 20 }, () => new Uint8Array(size));
      gate.complete();
      await queue.finish();
      expect(bystanders.every((array) => array.every((value) => value === 0))).toBe(true);
    }
  });
});

test("results that are dropped give their memory back", async () => {
  const buffer = DeviceBuffer.empty(context, Uint8Array, 8 << 20);
  for (let i = 0; i < 40; i++) await queue.read(buffer);
  await collectGarbage();
  const before = process.memoryUsage().rss;
  for (let i = 0; i < 40; i++) {
    await queue.read(buffer);
    if (i % 10 === 0) await collectGarbage();
  }
  await collectGarbage();
  // All of them together are 320 MiB.
  expect(process.memoryUsage().rss - before).toBeLessThan(100 << 20);
});
