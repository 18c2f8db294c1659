/**
 * Probes OpenCL in a separate process, which a driver may crash. Results are written to file descriptor 3, one per line,
 * since drivers print to the others.
 */
import { readFileSync, rmSync, writeSync } from "node:fs";

import type * as Core from "@cl/core";

import { addPocl } from "../../pocl.js";
import type { ProbeMessage, ProbeTask } from "./probe-messages.js";

const task = JSON.parse(process.argv[2] ?? "{}") as ProbeTask;

function report(message: ProbeMessage): void {
  writeSync(3, `${JSON.stringify(message)}\n`);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function probe(): Promise<void> {
  if (task.library !== undefined) openLibrary(task.library);
  report({ kind: "stage", stage: "the addon was loaded" });
  let core: typeof Core;
  try {
    core = await import("@cl/core");
    // Loads the addon if it is not loaded yet.
    core.handleCount();
  } catch (error) {
    report({ kind: "addon", error: reason(error) });
    return;
  }
  report({ kind: "addon", file: loadedFile(/\.node$/) });
  if (task.cache === true) await tryCache(core);
  if (task.pocl === true) {
    report({ kind: "stage", stage: "@cl/pocl was imported" });
    report({ kind: "pocl", ...(await addPocl()) });
  }
  report({ kind: "stage", stage: "the OpenCL library was opened and its drivers were loaded" });
  const platforms = listPlatforms(core);
  if (platforms === undefined || task.platforms !== true) return;
  for (const platform of platforms) {
    report({ kind: "stage", stage: `the devices of "${platform.name}" were listed` });
    const { name, version, devices, runtime } = platform;
    report({ kind: "platform", name, version, devices: devices.length, runtime: runtime.path });
  }
  if (task.kernels !== true) return;
  for (const [p, platform] of platforms.entries()) {
    for (const [d, device] of platform.devices.entries()) await tryDevice(core, `${p}:${d}`, device);
  }
}

/** Opens a library as an addon. Node.js reports "did not self-register" for a library that can be opened and is not an addon. */
function openLibrary(library: string): void {
  report({ kind: "stage", stage: "its library was opened" });
  try {
    process.dlopen({ exports: {} }, library);
    report({ kind: "library" });
  } catch (error) {
    const text = reason(error);
    report(/did not self-register/.test(text) ? { kind: "library" } : { kind: "library", error: text });
  }
}

/** Returns the platforms; `undefined` if no library can be opened, which is then reported. */
function listPlatforms(core: typeof Core): readonly Core.Platform[] | undefined {
  const file = (): string | undefined => process.env["CL_LIBRARY_PATH"] ?? loadedFile(/OpenCL[^/\\]*$/);
  try {
    const platforms = core.getPlatforms();
    report({ kind: "loader", file: file() });
    return platforms;
  } catch (error) {
    const isEmpty = error instanceof core.NoRuntimeError && !error.message.startsWith("No OpenCL library");
    // PLATFORM_NOT_FOUND_KHR also means that there is no platform.
    const none = error instanceof core.OpenCLError && error.status === core.Status.PLATFORM_NOT_FOUND_KHR;
    report(isEmpty || none ? { kind: "loader", file: file() } : { kind: "loader", error: reason(error) });
    return isEmpty || none ? [] : undefined;
  }
}

async function tryCache(core: typeof Core): Promise<void> {
  report({ kind: "stage", stage: "a file was written to the cache folder" });
  const folder = new core.CacheFolder("doctor-v1");
  const { directory } = folder;
  const writable = await folder.write("try", new Uint8Array(1));
  if (writable && directory !== undefined) rmSync(directory, { recursive: true, force: true });
  report({ kind: "cache", directory, reason: folder.reason, writable });
}

const source = `
__kernel void clkit_doctor(__global const int *x, __global int *y) {
  size_t i = get_global_id(0);
  y[i] = 3 * x[i] + (int)i;
}`;

/** Builds and runs a small kernel, and checks its results. */
async function tryDevice(core: typeof Core, selector: string, device: Core.Device): Promise<void> {
  const { name } = device;
  report({ kind: "stage", stage: `a kernel was built and run on ${selector} "${name.trim()}"` });
  if (!device.available || !device.compilerAvailable) {
    const skippedBecause = device.available ? "it has no compiler" : "the driver reports that it is not available";
    report({ kind: "device", selector, name, skippedBecause });
    return;
  }
  try {
    const start = performance.now();
    const wrong = await runKernel(core, device);
    if (wrong === undefined) {
      report({ kind: "device", selector, name, milliseconds: performance.now() - start });
    } else report({ kind: "device", selector, name, error: wrong });
  } catch (error) {
    report({ kind: "device", selector, name, error: reason(error) });
  }
}

async function runKernel(core: typeof Core, device: Core.Device): Promise<string | undefined> {
  const context = new core.Context(device);
  const queue = new core.CommandQueue(context);
  const program = await new core.Program(context, source).build();
  const x = Int32Array.from({ length: 1000 }, (_, i) => 7 * i - 500);
  const from = core.DeviceBuffer.from(context, x);
  const to = core.DeviceBuffer.from(context, new Int32Array(x.length));
  program.kernel("clkit_doctor").launch(queue, { global: x.length }, from, to);
  const y = await queue.read(to, Int32Array);
  const i = y.findIndex((value, i) => value !== 3 * (x[i] as number) + i);
  return i < 0 ? undefined : `a kernel returned ${y[i]} instead of ${3 * (x[i] as number) + i}`;
}

/** Returns the path of a library that this process has loaded. */
function loadedFile(name: RegExp): string | undefined {
  if (process.platform === "linux") {
    const maps = readFileSync("/proc/self/maps", "utf8");
    return maps.match(/\/.*$/gm)?.find((path) => name.test(path));
  }
  const report = process.report?.getReport() as { sharedObjects?: readonly string[] } | undefined;
  return report?.sharedObjects?.find((path) => name.test(path));
}

await probe();
report({ kind: "done" });
// Threads of a driver may keep the process alive.
process.exit(0);
