/** Semaphores and their file descriptors: on devices that support them, and always on the fake driver. */
import { closeSync } from "node:fs";

import { expect, test } from "vitest";
import {
  CommandQueue,
  Context,
  DeviceBuffer,
  ExternalSemaphoreHandleType,
  handleCounts,
  NotSupportedError,
  Semaphore,
  SemaphoreType,
} from "@cl/core";

import { context, device, queue } from "./support/kernels.js";
import { onFake } from "./support/on-fake.js";
import { needs, type Run } from "@cl/base/testing";
import { notSupported } from "@cl/testing/core-errors";

const { OPAQUE_FD_KHR } = ExternalSemaphoreHandleType;

function needsSemaphores(run: Run): void {
  needs(run, device.hasExtension("cl_khr_semaphore"), `'${device.name}' does not support semaphores`);
}

function needsDescriptors(run: Run): void {
  needsSemaphores(run);
  const name = "cl_khr_external_semaphore_opaque_fd";
  needs(run, device.hasExtension(name), `'${device.name}' does not support ${name}`);
}

test("each signal releases one wait, between two queues", async (run) => {
  needsSemaphores(run);
  using semaphore = new Semaphore(context, { label: "turn" });
  expect(semaphore).toMatchObject({ type: SemaphoreType.BINARY_KHR, referenceCount: 1 });
  using consumer = new CommandQueue(context);
  const x = DeviceBuffer.from(context, new Int32Array(4));
  const y = DeviceBuffer.empty(context, Int32Array, 4);
  for (let turn = 1; turn <= 5; turn++) {
    queue.enqueueFill(x, turn);
    semaphore.enqueueSignal(queue);
    queue.flush();
    semaphore.enqueueWait(consumer);
    consumer.enqueueCopy(y, x);
    expect(await consumer.read(y)).toEqual(new Int32Array(4).fill(turn));
  }
});

test("a file descriptor shares a semaphore with another context", async (run) => {
  needsDescriptors(run);
  needs(
    run,
    device.semaphoreExportHandleTypesKhr.includes(OPAQUE_FD_KHR),
    `'${device.name}' imports semaphores from descriptors, but does not export any`,
  );
  const there = Context.create();
  using consumer = new CommandQueue(there);
  using own = new Semaphore(context, { exportTypes: [OPAQUE_FD_KHR], devices: [device] });
  const fd = own.export(OPAQUE_FD_KHR);
  expect(fd).toBeGreaterThanOrEqual(0);
  using same = Semaphore.import(there, { type: OPAQUE_FD_KHR, fd, label: "imported" });
  const signalled = own.enqueueSignal(queue);
  queue.flush();
  const passed = same.enqueueWait(consumer);
  await passed.wait();
  expect(signalled.status).toBe(0);
  // Each export is a separate descriptor, owned by the caller.
  closeSync(own.export(OPAQUE_FD_KHR, device));
});

test("throws NotSupportedError with the extension's name without support", () => {
  if (device.hasExtension("cl_khr_semaphore")) return;
  expect(() => new Semaphore(context)).toThrow(NotSupportedError);
  expect(() => new Semaphore(context)).toThrow(notSupported());
  expect(() => Semaphore.import(context, { type: OPAQUE_FD_KHR, fd: 0 })).toThrow(notSupported());
  expect(handleCounts()["semaphore"]).toBe(0);
});

test("the fake driver exports and imports descriptors, and leaks nothing", async () => {
  const { lines, report } = await onFake(
    `
    import { closeSync, fstatSync } from "node:fs";
    import { collectGarbage } from "@cl/base/testing";
    const type = ExternalSemaphoreHandleType.OPAQUE_FD_KHR;
    const [here, there] = [context, Context.create()];
    const [producer, consumer] = [queue, new CommandQueue(there)];
    const own = new Semaphore(here, { exportTypes: [type], devices: here.devices });
    const fd = own.export(type);
    const same = Semaphore.import(there, { type, fd });
    console.log("taken over", codeOf(() => fstatSync(fd)));
    own.enqueueSignal(producer).waitSync();
    console.log(String(own), same.payload, own.type, own.properties.length);
    const event = same.enqueueWait(consumer);
    console.log(event.commandType.toString(16), own.payload, same.referenceCount);
    closeSync(own.export(type));
    try { own.export(ExternalSemaphoreHandleType.SYNC_FD_KHR); } catch (error) { console.log(error.code, error.routine); }
    try { Semaphore.import(there, { type, fd: 999 }); } catch (error) { console.log(error.code, error.routine); }
    try { own.enqueueWait(consumer); } catch (error) { console.log(error.message); }
    console.log(codeOf(() => new Semaphore(here).export(type)));
    own.release();
    try { own.enqueueSignal(producer); } catch (error) { console.log(error.message); }
    await collectGarbage();
    for (const one of [event, same, producer, consumer, here, there]) one.release();`,
    { env: { FAKE_CL_EXTENSIONS: "all" } },
  );
  expect(lines).toEqual([
    "taken over EBADF",
    "Semaphore { signaled } 1n 1 6",
    "2042 0n 1",
    "CL_INVALID_VALUE clGetSemaphoreHandleForTypeKHR",
    "CL_INVALID_VALUE clCreateSemaphoreWithPropertiesKHR",
    "this semaphore belongs to another context",
    "CL_INVALID_VALUE",
    "Semaphore has been released",
  ]);
  expect(report).toMatchObject({ live: { semaphore: 0, context: 0 } });
});

test.each([
  ["1.0.0", "2053"],
  ["0.9.0", "2051"],
])("a subset of the context's devices is passed with the key of version %s", async (version, key) => {
  const { lines, report } = await onFake(
    `
    const both = new Context(context.platform.devices);
    const semaphore = new Semaphore(both, { devices: [both.devices[1]] });
    const list = [...semaphore.properties];
    console.log(list[2].toString(16), list[3] === both.devices[1].pointer, list[4], list.length);
    semaphore.release();`,
    { env: { FAKE_CL_EXTENSIONS: `cl_khr_semaphore@${version}`, FAKE_CL_DEVICES: "2" } },
  );
  expect(lines).toEqual([`${key} true 0n 6`]);
  expect(report).toMatchObject({ live: { semaphore: 0 } });
});
