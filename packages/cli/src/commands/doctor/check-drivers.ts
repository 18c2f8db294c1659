/** Drivers, each alone in a process with nothing but it, and then all of them as a program meets them. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { formatTime } from "@cl/base/units";

import { type Finding, fail, ok, warn } from "./finding.js";
import type { IcdFile, IcdFiles } from "./icd-files.js";
import type { ProbeMessage } from "./probe-messages.js";
import { installDriver } from "./remedies.js";
import { type Probed, type ProbeSurroundings, runProbe } from "./run-probe.js";

/** What the loader's files say. */
export function checkIcdFiles({ place, variable, files, named, error }: IcdFiles): Finding {
  const check = "driver files";
  const where = variable === undefined ? place : `${place} (${variable})`;
  const found = [
    ...(files.length === 0 ? [] : [`${namesOf(files)} in ${where}`]),
    ...(named.length === 0 ? [] : [`${namesOf(named)} (OCL_ICD_FILENAMES, which ocl-icd does not read)`]),
  ];
  if (found.length > 0) return ok(check, found.join("; "));
  if (error !== undefined) {
    const fix = variable === undefined ? installDriver() : `unset ${variable}`;
    return fail(check, `${where}: ${error}, so no driver is found.`, fix);
  }
  return fail(check, `There is no .icd file in ${where}, so no driver is found.`, installDriver());
}

const namesOf = (files: readonly IcdFile[]): string => files.map(({ path }) => basename(path)).join(", ");

/** What became of a driver. */
export interface DriverCheck {
  readonly findings: readonly Finding[];
  /** Whether it ends every process that loads it. */
  readonly isFatal: boolean;
}

/** Tries one driver. */
export async function checkDriver(file: IcdFile, surroundings: ProbeSurroundings): Promise<DriverCheck> {
  const probed = file.library === undefined ? undefined : await probeAlone(file, file.library, surroundings);
  const isFatal = probed?.death !== undefined && !probed.messages.some(({ kind }) => kind === "library");
  return { findings: driverFindings(file, probed), isFatal };
}

function driverFindings(file: IcdFile, probed: Probed | undefined): readonly Finding[] {
  const check = `driver ${basename(file.path)}`;
  const aside =
    file.path === file.library
      ? "or name it no longer in the environment"
      : `or set its file aside: sudo mv ${file.path} ${file.path}.off`;
  const remove = `Install the driver, again or a newer one, ${aside}`;
  if (file.error !== undefined) return [fail(check, `${file.path}: ${file.error}.`, `ls -l ${file.path}`)];
  if (probed === undefined) return [fail(check, `${file.path} names no library.`, remove)];
  const { messages, death } = probed;
  const library = messages.find((message) => message.kind === "library");
  if (library?.error !== undefined) return [fail(check, `Its library cannot be opened: ${library.error}`, remove)];
  const platforms = messages.filter((message) => message.kind === "platform");
  const devices = deviceFindings(messages, check);
  if (death !== undefined) return [...devices, fail(check, death, remove)];
  // An addon or a loader that does not work has been told by another.
  if (!messages.some((message) => message.kind === "loader" && message.error === undefined)) return [];
  if (platforms.length === 0) {
    const message = `The driver was loaded, but it offers no platform: it finds no hardware that it can use.`;
    return [warn(check, message, `${withoutDevice(file.path)} ${remove}`)];
  }
  return [
    ...platforms.map(({ name, version, devices }) =>
      devices > 0
        ? ok(check, `${name}, ${version.trim()}, ${counted(devices, "device")}`)
        : warn(check, `The platform "${name}" has no device.`, withoutDevice(`${name} ${file.path}`)),
    ),
    ...devices,
  ];
}

/** Tries what a program would meet: the OpenCL library with all drivers that it finds. */
export async function checkTogether(kernels: boolean, surroundings: ProbeSurroundings): Promise<readonly Finding[]> {
  const check = "all together";
  const { messages, death } = await runProbe({ platforms: true, kernels }, uncached(surroundings));
  const devices = deviceFindings(messages, "device");
  if (death !== undefined) {
    return [
      ...devices,
      fail(check, death, "Every program that uses OpenCL ends so: see to the drivers that fail alone."),
    ];
  }
  if (!messages.some((message) => message.kind === "loader" && message.error === undefined)) return devices;
  const platforms = messages.filter((message) => message.kind === "platform");
  const count = platforms.reduce((sum, { devices }) => sum + devices, 0);
  const message = `${counted(platforms.length, "platform")}, ${counted(count, "device")}`;
  return [count > 0 ? ok(check, message) : fail(check, message, installDriver()), ...devices];
}

/** A process whose loader sees this driver and no other. */
async function probeAlone(file: IcdFile, library: string, surroundings: ProbeSurroundings): Promise<Probed> {
  const folder = mkdtempSync(join(tmpdir(), "clkit-doctor-"));
  try {
    // Loaders agree on folders; a single file not all of them take.
    const copy = join(folder, "driver.icd");
    if (library === file.path) writeFileSync(copy, `${library}\n`);
    else copyFileSync(file.path, copy);
    // The loader that takes the names of libraries may take no folder.
    const named = library === file.path ? library : undefined;
    const env = { ...surroundings.env, OCL_ICD_VENDORS: folder, OCL_ICD_FILENAMES: named };
    return await runProbe({ library, platforms: true, kernels: true }, uncached({ ...surroundings, env }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A program from the cache would say nothing of the compiler. */
function uncached(surroundings: ProbeSurroundings): ProbeSurroundings {
  return { ...surroundings, env: { ...surroundings.env, CL_NO_CACHE: "1" } };
}

function deviceFindings(messages: readonly ProbeMessage[], check: string): readonly Finding[] {
  return messages
    .filter((message) => message.kind === "device")
    .map(({ name, error, untried, milliseconds = 0 }) => {
      const device = `"${name.trim()}"`;
      const skipped = `${device} was not tried: ${untried}.`;
      if (untried !== undefined) return warn(check, skipped, "Look into the driver's documentation.");
      if (error !== undefined) return fail(check, `${device} does not compute: ${error}`, "Update the driver.");
      return ok(
        check,
        `${device} built a kernel and computed what is right, in ${formatTime(Math.round(milliseconds) * 1e6)}.`,
      );
    });
}

/** What usually keeps a driver from its devices. */
function withoutDevice(driver: string): string {
  if (/nvidia/i.test(driver)) {
    return "See whether nvidia-smi lists the GPU: if not, its kernel module is missing, or a container was started without --gpus all.";
  }
  if (/pocl|portable computing/i.test(driver)) {
    return "PoCL needs a folder that it can write to: set POCL_CACHE_DIR, or HOME.";
  }
  if (/amd|rocm/i.test(driver)) return "See whether rocminfo lists the GPU, and whether you may use /dev/kfd.";
  return "See whether the device is there, and whether you may use its files in /dev.";
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
