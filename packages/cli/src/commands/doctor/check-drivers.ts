/** Checks drivers: each alone in a separate process, then all together as in a program. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { formatTime } from "@cl/base/units";

import { type Finding, fail, ok, warn } from "./finding.js";
import type { IcdFile, IcdFiles } from "./icd-files.js";
import type { ProbeMessage } from "./probe-messages.js";
import { installDriver } from "./remedies.js";
import { type ProbeResult, type ProbeOptions, runProbe } from "./run-probe.js";

/** Checks which driver files the loader finds. */
export function checkIcdFiles({ searchPath, variable, files, listed, error }: IcdFiles): Finding {
  const check = "driver files";
  const where = variable === undefined ? searchPath : `${searchPath} (${variable})`;
  const found = [
    ...(files.length === 0 ? [] : [`${namesOf(files)} in ${where}`]),
    ...(listed.length === 0 ? [] : [`${namesOf(listed)} (OCL_ICD_FILENAMES, which ocl-icd does not read)`]),
  ];
  if (found.length > 0) return ok(check, found.join("; "));
  if (error !== undefined) {
    const fix = variable === undefined ? installDriver() : `unset ${variable}`;
    return fail(check, `${where}: ${error}, so no driver is found.`, fix);
  }
  return fail(check, `No .icd files in ${where}, so no driver is found.`, installDriver());
}

const namesOf = (files: readonly IcdFile[]): string => files.map(({ path }) => basename(path)).join(", ");

export interface DriverCheck {
  readonly findings: readonly Finding[];
  /** Whether the driver ends every process that loads it. */
  readonly isFatal: boolean;
}

export async function checkDriver(file: IcdFile, options: ProbeOptions): Promise<DriverCheck> {
  const result = file.library === undefined ? undefined : await probeAlone(file, file.library, options);
  const isFatal = result?.failure !== undefined && !result.messages.some(({ kind }) => kind === "library");
  return { findings: driverFindings(file, result), isFatal };
}

function driverFindings(file: IcdFile, result: ProbeResult | undefined): readonly Finding[] {
  const check = `driver ${basename(file.path)}`;
  const disable =
    file.path === file.library
      ? "or remove it from OCL_ICD_FILENAMES"
      : `or disable it: sudo mv ${file.path} ${file.path}.off`;
  const reinstall = `Reinstall or update the driver, ${disable}`;
  if (file.error !== undefined) return [fail(check, `${file.path}: ${file.error}.`, `ls -l ${file.path}`)];
  if (result === undefined) return [fail(check, `${file.path} names no library.`, reinstall)];
  const { messages, failure } = result;
  const library = messages.find((message) => message.kind === "library");
  if (library?.error !== undefined) return [fail(check, `Its library cannot be opened: ${library.error}`, reinstall)];
  const platforms = messages.filter((message) => message.kind === "platform");
  const devices = deviceFindings(messages, check);
  if (failure !== undefined) return [...devices, fail(check, failure, reinstall)];
  // A broken addon or loader is reported by another check.
  if (!messages.some((message) => message.kind === "loader" && message.error === undefined)) return [];
  if (platforms.length === 0) {
    const message = `The driver was loaded but has no platform: it found no hardware that it supports.`;
    return [warn(check, message, `${fixForNoDevice(file.path)} ${reinstall}`)];
  }
  return [
    ...platforms.map(({ name, version, devices }) =>
      devices > 0
        ? ok(check, `${name}, ${version.trim()}, ${counted(devices, "device")}`)
        : warn(check, `The platform "${name}" has no device.`, fixForNoDevice(`${name} ${file.path}`)),
    ),
    ...devices,
  ];
}

/** Checks what a program would see: the OpenCL library with all drivers that it finds, and `@cl/pocl`. */
export async function checkTogether(kernels: boolean, options: ProbeOptions): Promise<readonly Finding[]> {
  const check = "all together";
  const { messages, failure } = await runProbe({ pocl: true, platforms: true, kernels }, uncached(options));
  const devices = deviceFindings(messages, "device");
  if (failure !== undefined) {
    return [
      ...devices,
      fail(check, failure, "Every program that uses OpenCL fails in the same way: fix the drivers that fail above."),
    ];
  }
  if (!messages.some((message) => message.kind === "loader" && message.error === undefined)) return devices;
  const platforms = messages.filter((message) => message.kind === "platform");
  const count = platforms.reduce((sum, { devices }) => sum + devices, 0);
  const message = `${counted(platforms.length, "platform")}, ${counted(count, "device")}`;
  if (count > 0) return [ok(check, message), ...devices];
  // A platform without a device belongs to an installed driver: installing one is not the fix.
  const fix = platforms.length === 0 ? installDriver() : platforms.map(({ name }) => fixForNoDevice(name)).join(" ");
  return [fail(check, message, fix), ...devices];
}

/** Probes a driver in a process whose loader sees no other driver. */
async function probeAlone(file: IcdFile, library: string, options: ProbeOptions): Promise<ProbeResult> {
  const folder = mkdtempSync(join(tmpdir(), "clkit-doctor-"));
  try {
    // All loaders accept folders, but not all accept a single file.
    const copy = join(folder, "driver.icd");
    if (library === file.path) writeFileSync(copy, `${library}\n`);
    else copyFileSync(file.path, copy);
    // A loader that accepts the names of libraries may not accept a folder.
    const listed = library === file.path ? library : undefined;
    const env = { ...options.env, OCL_ICD_VENDORS: folder, OCL_ICD_FILENAMES: listed };
    return await runProbe({ library, platforms: true, kernels: true }, uncached({ ...options, env }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Disables the program cache, which would bypass the driver's compiler. */
function uncached(options: ProbeOptions): ProbeOptions {
  return { ...options, env: { ...options.env, CL_NO_CACHE: "1" } };
}

/** Returns the findings of the kernel tests. */
export function deviceFindings(messages: readonly ProbeMessage[], check: string): readonly Finding[] {
  return messages
    .filter((message) => message.kind === "device")
    .map(({ name, error, skippedBecause, milliseconds = 0 }) => {
      const device = `"${name.trim()}"`;
      const skipped = `${device} was not tested: ${skippedBecause}.`;
      if (skippedBecause !== undefined) return warn(check, skipped, "See the driver's documentation.");
      if (error !== undefined) return fail(check, `${device}: kernel test failed: ${error}`, "Update the driver.");
      return ok(check, `${device}: kernel test passed (${formatTime(Math.round(milliseconds) * 1e6)})`);
    });
}

/** Returns the usual fix for a driver that finds no device. */
function fixForNoDevice(driver: string): string {
  if (/nvidia/i.test(driver)) {
    return "Check that nvidia-smi lists the GPU. If not, load its kernel module, or start the container with --gpus all.";
  }
  if (/pocl|portable computing/i.test(driver)) {
    return "PoCL has no device if it cannot write to its cache: set POCL_CACHE_DIR to a folder that you can write to.";
  }
  if (/amd|rocm/i.test(driver)) return "Check that rocminfo lists the GPU and that you have access to /dev/kfd.";
  return "Check that the device is present and that you have access to its files in /dev.";
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
