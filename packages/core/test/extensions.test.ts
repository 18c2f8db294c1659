/** Features of optional extensions that have no class, and errors that name missing extensions. */
import { describe, expect, test } from "vitest";
import { DeviceBuffer, NotSupportedError, OpenCLError } from "@cl/core";

import { notSupported } from "@cl/testing/core-errors";
import { context, device, kernelOf, queue } from "./support/kernels.js";
import { onFake } from "./support/on-fake.js";
import { needs } from "@cl/base/testing";

/** Device properties and the extensions they need. */
const properties = {
  uuidKhr: "cl_khr_device_uuid",
  driverUuidKhr: "cl_khr_device_uuid",
  luidKhr: "cl_khr_device_uuid",
  luidValidKhr: "cl_khr_device_uuid",
  nodeMaskKhr: "cl_khr_device_uuid",
  pciBusInfoKhr: "cl_khr_pci_bus_info",
  integerDotProductCapabilitiesKhr: "cl_khr_integer_dot_product",
  commandBufferCapabilitiesKhr: "cl_khr_command_buffer",
  commandBufferRequiredQueuePropertiesKhr: "cl_khr_command_buffer",
  externalMemoryImportHandleTypesKhr: "cl_khr_external_memory",
  semaphoreTypesKhr: "cl_khr_semaphore",
  semaphoreImportHandleTypesKhr: "cl_khr_external_semaphore",
  semaphoreExportHandleTypesKhr: "cl_khr_external_semaphore",
  computeCapabilityMajorNv: "cl_nv_device_attribute_query",
  warpSizeNv: "cl_nv_device_attribute_query",
  boardNameAmd: "cl_amd_device_attribute_query",
} as const;

/** Returns false if the driver rejects the query although the device has the extension. */
function answers(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof NotSupportedError) return false;
    if (error instanceof OpenCLError && error.code === "CL_INVALID_VALUE") return false;
    throw error;
  }
}

describe.each(Object.entries(properties))("device.%s", (name, extension) => {
  const read = (): unknown => device[name as keyof typeof properties];

  test(`is available only with ${extension}`, (run) => {
    if (device.hasExtension(extension)) {
      needs(run, answers(read), `'${device.name}' has ${extension} but rejects the query for ${name}`);
      expect(read()).toBeDefined();
    } else {
      // PoCL 7.1 answers queries of extensions that it does not list.
      needs(run, !answers(read), `'${device.name}' answers the query for ${name} without listing ${extension}`);
      expect(read).toThrow(NotSupportedError);
      expect(read).toThrow(extension);
    }
  });
});

test("device.timers() and hostTimer() return increasing times or throw an OpenCLError", () => {
  try {
    const before = device.timers();
    const { device: deviceTime, host } = device.timers();
    expect(deviceTime).toBeGreaterThanOrEqual(before.device);
    expect(host).toBeGreaterThanOrEqual(before.host);
    expect(device.hostTimer()).toBeGreaterThanOrEqual(host);
  } catch (error) {
    expect(error).toBeInstanceOf(OpenCLError);
  }
});

const source = "__kernel void f(__global int *x, int n) { if (get_global_id(0) < n) x[get_global_id(0)] = n; }";

test("suggestedLocalSize divides the global size or throws an error that names the extension", () => {
  const kernel = kernelOf(source);
  const x = DeviceBuffer.empty(context, Int32Array, 64);
  kernel.setArgs(x, 64);
  const extension = "cl_khr_suggested_local_work_size";
  if (!device.hasExtension(extension)) {
    expect(() => kernel.suggestedLocalSize(queue, { global: [16, 4] })).toThrow(notSupported());
    return;
  }
  const local = kernel.suggestedLocalSize(queue, { global: [16, 4] });
  expect(local).toHaveLength(2);
  expect(16 % (local[0] as number)).toBe(0);
  expect(4 % (local[1] as number)).toBe(0);
});

test("the fake driver returns suggested sizes, UUIDs and PCI bus info", async () => {
  const { lines } = await onFake(
    `
    const [device] = context.devices;
    const kernel = new Program(context, ${JSON.stringify(source)}).buildSync().kernel("f");
    console.log(codeOf(() => kernel.suggestedLocalSize(queue, { global: 4 })));
    const x = new DeviceBuffer(context, 64);
    kernel.setArgs(x, 4);
    console.log(kernel.suggestedLocalSize(queue, { global: [8, 3, 2], offset: [1, 0, 0] }).join());
    kernel.launch(queue, { global: 4 }, x, 2);
    console.log(kernel.suggestedLocalSize(queue, { global: "n" }).join());
    console.log(device.uuidKhr, device.luidKhr, device.luidValidKhr, device.nodeMaskKhr);
    console.log(JSON.stringify(device.pciBusInfoKhr), device.integerDotProductCapabilitiesKhr);
    console.log(device.semaphoreExportHandleTypesKhr, device.externalMemoryImportHandleTypesKhr);`,
    { env: { FAKE_CL_EXTENSIONS: "all" } },
  );
  expect(lines).toEqual([
    "CL_INVALID_KERNEL_ARGS",
    "2,1,2",
    "2",
    "00010203-0405-0607-0809-0a0b0c0d0e0f 0706050403020100 true 1",
    '{"domain":1,"bus":2,"device":3,"function":4} 3',
    "[ 8277 ] [ 8288 ]",
  ]);
});

const older = (extensions: string): ReturnType<typeof onFake> =>
  onFake(
    `
    console.log(codeOf(() => new CommandQueue(context, { priority: "low" })));
    console.log(codeOf(() => Program.fromIL(context, Uint8Array.from([3, 2, 0x23, 7, 0x20]))));`,
    { version: "1.2", env: { FAKE_CL_EXTENSIONS: extensions } },
  );

test("before OpenCL 2.0, queues with properties and programs from IL need extensions", async () => {
  const { lines, report } = await older("cl_khr_create_command_queue,cl_khr_il_program");
  expect(lines).toEqual(["nothing", "nothing"]);
  expect(report.calls).toMatchObject({ clCreateCommandQueueWithPropertiesKHR: 1, clCreateProgramWithILKHR: 1 });
  expect((await older("")).lines).toEqual(["ERR_CL_NOT_SUPPORTED", "ERR_CL_NOT_SUPPORTED"]);
});
