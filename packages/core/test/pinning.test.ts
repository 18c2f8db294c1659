// Host memory stays allocated and in place while a device uses it, even if the array is transferred or collected. A
// failure would access dangling memory and may crash; so this file runs in a separate process.
import { describe, expect, test } from "vitest";
import { DeviceBuffer, UserEvent } from "@cl/core";

import { caseCount } from "@cl/testing/level";
import { collectGarbage } from "@cl/base/testing";
import { context, queue } from "./support/kernels.js";

const rounds = caseCount(40);
const size = 1 << 16;

/** Transfers an array's memory, so that it can be collected. */
function transferAway(array: Uint8Array): void {
  structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] });
}

/** Allocates other arrays, which would reuse freed memory. */
function churn(): void {
  for (let i = 0; i < 20; i++) new Uint8Array(size).fill(0xee);
}

describe("an array that is transferred and collected while a command waits", () => {
  test("keeps its contents for the write", async () => {
    for (let round = 0; round < rounds; round++) {
      const gate = new UserEvent(context);
      const buffer = DeviceBuffer.empty(context, Uint8Array, size);
      let source: Uint8Array | undefined = new Uint8Array(size).fill(round);
      const event = queue.enqueueCopy(buffer, source, { waitFor: gate });
      transferAway(source);
      source = undefined;
      if (round % 5 === 0) await collectGarbage();
      churn();
      gate.complete();
      await event.wait();
      expect((await queue.read(buffer)).every((value) => value === round)).toBe(true);
      buffer.release();
    }
  });

  test("keeps its memory for the read", async () => {
    const buffer = DeviceBuffer.from(context, new Uint8Array(size).fill(0xab));
    for (let round = 0; round < rounds; round++) {
      const gate = new UserEvent(context);
      let target: Uint8Array | undefined = new Uint8Array(size);
      const event = queue.enqueueCopy(target, buffer, { waitFor: gate });
      transferAway(target);
      expect(target.length).toBe(0);
      target = undefined;
      if (round % 5 === 0) await collectGarbage();
      const bystanders = Array.from({ length: 20 }, () => new Uint8Array(size));
      gate.complete();
      await event.wait();
      expect(bystanders.every((array) => array.every((value) => value === 0))).toBe(true);
    }
  });

  test("keeps its memory for rectangular reads and writes", async () => {
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
      if (round % 5 === 0) await collectGarbage();
      churn();
      gate.complete();
      await read.wait();
      expect(queue.readSync(buffer)[size - 1]).toBe(round);
    }
  });
});

describe("an array that backs a buffer", () => {
  test("keeps its memory until the buffer's last command completes", async () => {
    for (let round = 0; round < rounds; round++) {
      const gate = new UserEvent(context);
      const host = new Uint8Array(size).fill(round);
      const buffer = new DeviceBuffer(context, { host, hostPointer: "use" });
      const copy = DeviceBuffer.empty(context, Uint8Array, size);
      const event = queue.enqueueCopy(copy, buffer, { waitFor: gate });
      buffer.release();
      transferAway(host);
      if (round % 5 === 0) await collectGarbage();
      churn();
      gate.complete();
      await event.wait();
      expect((await queue.read(copy)).every((value) => value === round)).toBe(true);
    }
  });
});

describe("a read whose promise was aborted", () => {
  test("keeps its memory until the command completes", async () => {
    const buffer = DeviceBuffer.from(context, new Uint8Array(size).fill(0xab));
    for (let round = 0; round < rounds; round++) {
      const gate = new UserEvent(context);
      const controller = new AbortController();
      const reading = queue.read(buffer, { waitFor: gate, signal: controller.signal });
      controller.abort(new Error("enough"));
      await expect(reading).rejects.toThrow("enough");
      if (round % 5 === 0) await collectGarbage();
      const bystanders = Array.from({ length: 20 }, () => new Uint8Array(size));
      gate.complete();
      await queue.finish();
      expect(bystanders.every((array) => array.every((value) => value === 0))).toBe(true);
    }
  });
});
