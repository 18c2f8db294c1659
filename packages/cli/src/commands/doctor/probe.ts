/**
 * Tries OpenCL in a process of its own, which a driver may take down. What it finds goes to the file descriptor 3 line by
 * line, since drivers print on the others.
 */
import { readFileSync, rmSync, writeSync } from "node:fs";

import type * as Core from "@cl/core";

import type { ProbeMessage, ProbeTask } from "./probe-messages.js";

const task = JSON.parse(process.argv[2] ?? "{}") as ProbeTask;

function say(message: ProbeMessage): void {
  writeSync(3, `${JSON.stringify(message)}\n`);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function probe(): Promise<void> {
  if (task.library !== undefined) openLibrary(task.library);
  say({ kind: "stage", stage: "the addon was loaded" });
  let core: typeof Core;
  try {
    core = await import("@cl/core");
    // The addon is loaded now, if it was not before.
    core.handleCount();
  } catch (error) {
    say({ kind: "addon", error: reason(error) });
    return;
  }
  say({ kind: "addon", file: loadedFile(/\.node$/) });
  if (task.cache === true) await tryCache(core);
  say({ kind: "stage", stage: "the OpenCL library was opened and its drivers were loaded" });
  const platforms = listPlatforms(core);
  if (platforms === undefined || task.platforms !== true) return;
  for (const platform of platforms) {
    say({ kind: "stage", stage: `the devices of "${platform.name}" were listed` });
    say({ kind: "platform", name: platform.name, version: platform.version, devices: platform.devices.length });
  }
  if (task.kernels !== true) return;
  for (const [p, platform] of platforms.entries()) {
    for (const [d, device] of platform.devices.entries()) await tryDevice(core, `${p}:${d}`, device);
  }
}

/** Node opens libraries for addons: one that it can open and that is none has "not registered itself". */
function openLibrary(library: string): void {
  say({ kind: "stage", stage: "its library was opened" });
  try {
    process.dlopen({ exports: {} }, library);
    say({ kind: "library" });
  } catch (error) {
    const text = reason(error);
    say(/did not self-register/.test(text) ? { kind: "library" } : { kind: "library", error: text });
  }
}

/** The platforms; undefined where no library can be opened, which has been said then. */
function listPlatforms(core: typeof Core): readonly Core.Platform[] | undefined {
  const file = (): string | undefined => process.env["CL_LIBRARY_PATH"] ?? loadedFile(/OpenCL[^/\\]*$/);
  try {
    const platforms = core.getPlatforms();
    say({ kind: "loader", file: file() });
    return platforms;
  } catch (error) {
    const isEmpty = error instanceof core.NoRuntimeError && !error.message.startsWith("No OpenCL library");
    // PLATFORM_NOT_FOUND_KHR is another way to say the same.
    const none = error instanceof core.OpenCLError && error.status === core.Status.PLATFORM_NOT_FOUND_KHR;
    say(isEmpty || none ? { kind: "loader", file: file() } : { kind: "loader", error: reason(error) });
    return isEmpty || none ? [] : undefined;
  }
}

async function tryCache(core: typeof Core): Promise<void> {
  say({ kind: "stage", stage: "a file was written to the cache folder" });
  const folder = new core.CacheFolder("doctor-v1");
  const { directory } = folder;
  const writable = await folder.write("try", new Uint8Array(1));
  if (writable && directory !== undefined) rmSync(directory, { recursive: true, force: true });
  say({ kind: "cache", directory, reason: folder.reason, writable });
}

const source = `
__kernel void clkit_doctor(__global const int *x, __global int *y) {
  size_t i = get_global_id(0);
  y[i] = 3 * x[i] + (int)i;
}`;

/** Builds a small kernel, runs it, and looks at what came out. */
async function tryDevice(core: typeof Core, selector: string, device: Core.Device): Promise<void> {
  const { name } = device;
  say({ kind: "stage", stage: `a kernel was built and run on ${selector} "${name.trim()}"` });
  if (!device.available || !device.compilerAvailable) {
    const untried = device.available ? "it has no compiler" : "it says that it is not available now";
    say({ kind: "device", selector, name, untried });
    return;
  }
  try {
    const start = performance.now();
    const wrong = await runKernel(core, device);
    if (wrong === undefined) {
      say({ kind: "device", selector, name, milliseconds: performance.now() - start });
    } else say({ kind: "device", selector, name, error: wrong });
  } catch (error) {
    say({ kind: "device", selector, name, error: reason(error) });
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
  return i < 0 ? undefined : `a kernel gave ${y[i]} where ${3 * (x[i] as number) + i} is right`;
}

/** The path of a library that this process has loaded. */
function loadedFile(name: RegExp): string | undefined {
  if (process.platform === "linux") {
    const maps = readFileSync("/proc/self/maps", "utf8");
    return maps.match(/\/.*$/gm)?.find((path) => name.test(path));
  }
  const report = process.report?.getReport() as { sharedObjects?: readonly string[] } | undefined;
  return report?.sharedObjects?.find((path) => name.test(path));
}

await probe();
say({ kind: "done" });
// A driver's threads may keep the process.
process.exit(0);
