/** One wrong argument for each check. test/support/bad-input tries all wrong values, in child processes. */
import { expect, test } from "vitest";
import {
  Context,
  ContextProperties,
  DeviceBuffer,
  DeviceView,
  ElementArray,
  GlobalMemoryType,
  HostView,
  Image,
  imageFromArray,
  ImageFormat,
  Kernel,
  LaunchList,
  Pipe,
  profilingTimes,
  Program,
  rectangleOf,
  Sampler,
  Semaphore,
  SvmAllocation,
} from "@cl/core";
import { outOfRange, wrongType } from "@cl/testing/error-like";
import { context, device, floats, kernelOf, queue } from "./support/kernels.js";

const x = floats(1);
const kernel = kernelOf("__kernel void f(__global float *x) {}");
const { program } = kernel;
const marker = queue.enqueueMarker();
const pair = DeviceView.fromHost(context, Float32Array.of(1, 2));
const format = new ImageFormat("R", "FLOAT");
/** Hides the type of an argument. */
const bad = (value: unknown): never => value as never;

const calls: [call: () => unknown, error: Error][] = [
  [() => new Context([]), wrongType("devices")],
  [() => new Context(device, { onMessage: bad("log") }), wrongType("options.onMessage")],
  [() => new DeviceBuffer(context, 0), outOfRange("options.size")],
  [() => new DeviceBuffer(context, bad({})), wrongType("options")],
  [() => new DeviceBuffer(context, bad(Float32Array.of(1))), wrongType("options")],
  [() => new DeviceBuffer(context, { size: 4, properties: bad([1]) }), wrongType("options.properties[0]")],
  [() => queue.mapSync(x, bad(DataView)), wrongType("type")],
  [() => queue.mapSync(x, bad({}), {}), wrongType("type")],
  [() => queue.enqueueMigrate([]), wrongType("memories")],
  [() => queue.enqueueMigrate(x, { flags: 64 }), wrongType("options.flags")],
  [() => queue.enqueueSvmFill(bad(x), 1), wrongType("svm")],
  [() => profilingTimes(bad(marker)), wrongType("events")],
  [() => profilingTimes([marker], ["start"], bad(new Float64Array(1))), wrongType("into")],
  [() => new DeviceView(bad({})), wrongType("memory")],
  [() => DeviceView.fromHost(context, bad("text")), wrongType("values")],
  [() => DeviceView.fromHost(context, [1], { hostPointer: bad("alloc") }), wrongType("options.hostPointer")],
  [() => rectangleOf(bad(x), new HostView(new Float32Array(1))), wrongType("target")],
  [() => new GlobalMemoryType("float", { shape: bad(4) }), wrongType("options.shape")],
  [() => new GlobalMemoryType("float", { strides: bad("C") }), wrongType("options.strides")],
  [() => new ImageFormat(bad("RGBZ"), "FLOAT"), wrongType("order")],
  [() => new Sampler(context, { filterMode: bad("linear") }), wrongType("options.filterMode")],
  [() => new Sampler(context, bad({ addressingMode: 5 })), outOfRange("options.addressingMode")],
  [() => new Pipe(context, { packetSize: 4, maxPackets: 4, flags: -1 }), outOfRange("options.flags")],
  [() => new Program(context, bad(Uint8Array.of(1, 2, 3, 4))), wrongType("source")],
  [() => new Program(context, "kernel void f() {}").buildSync({ options: bad(5) }), wrongType("options")],
  [() => new Program(context, "kernel void f() {}").buildSync({ devices: [] }), wrongType("devices")],
  [() => Program.linkSync(context, []), wrongType("programs")],
  [() => Program.fromBinaries(context, bad(undefined)), wrongType("binaries")],
  [() => Program.fromBuiltInKernels(context, bad("x")), wrongType("names")],
  [() => program.setSpecializationConstant(1, bad(3)), wrongType("value")],
  [() => new Kernel(bad({}), "f"), wrongType("program")],
  [() => (kernel.argTypes = []), wrongType("argTypes")],
  [() => kernel.bind(bad({ global: 1, waitFor: marker }), x), wrongType("sizes.waitFor")],
  [() => kernel.bind({ global: 1 }, x).launch(bad(context)), wrongType("queue")],
  [() => new LaunchList(context).launch(bad(context)), wrongType("queue")],
  [() => ElementArray.from("float32", bad(5)), wrongType("values")],
  [() => marker.onStatus(bad("queued"), () => undefined), wrongType("stage")],
  [() => imageFromArray(context, Float32Array.of(1), { mode: bad("x") }), wrongType("options.mode")],
  [() => new Image(context, { format, shape: [1], buffer: bad(queue) }), wrongType("options.buffer")],
  [() => kernel.setSvmPointers([]), wrongType("svms")],
  [() => kernel.launch(queue, { global: 0, allowEmpty: bad(1) }, x), wrongType("sizes.allowEmpty")],
  [() => kernel.launch(queue, bad(undefined), x), wrongType("sizes")],
  [() => kernel.bind({ global: 1 }, x).launchRows(queue, bad("n"), new Float64Array(1)), wrongType("parameters")],
  [() => new DeviceBuffer(context, { size: 4, hostCoherent: bad(true) }), wrongType("options.hostCoherent")],
  [() => new ContextProperties().set("PLATFORM", 0x1084, bad("x")), wrongType("value")],
  [() => queue.enqueueCopy(x, x, { region: bad(4) }), wrongType("options.region")],
  [() => queue.enqueueSvmMigrate([]), wrongType("svms")],
  [() => pair.enqueueCopyFrom(queue, new DeviceView(x)), outOfRange("source")],
  [() => pair.copySync(queue, { waitFor: bad(5) }), wrongType("waitFor")],
  [() => new Semaphore(context, { devices: [] }), wrongType("options.devices")],
  [() => new Semaphore(context, { devices: [bad(queue)] }), wrongType("options.devices[0]")],
  [() => new Semaphore(context, { devices: [device], exportTypes: bad(5) }), wrongType("options.exportTypes")],
  [() => new Semaphore(context, { exportTypes: [bad("fd")] }), wrongType("options.exportTypes[0]")],
];
if (device.svmCapabilities !== 0) {
  const svm = new SvmAllocation(context, 64);
  calls.push(
    [() => svm.enqueueRelease(), wrongType("queue")],
    [() => new SvmAllocation(context, 64, { kind: bad("fine") }), wrongType("options.kind")],
    [() => queue.enqueueSvmMigrate(svm, { flags: 64 }), wrongType("options.flags")],
  );
}

/** The source of a call, without what Vite adds to imported names. */
const sourceOf = (call: () => unknown): string => String(call).replaceAll(/\(0,\w+\.(\w+)\)|__\w+__\./g, "$1");

test.each(calls.map(([call, error]) => [sourceOf(call), call, error] as const))("%s throws", (_, call, error) => {
  expect(call).toThrow(error);
});
