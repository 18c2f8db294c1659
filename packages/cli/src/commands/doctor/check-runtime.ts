/** Checks the prerequisites of any driver: Node.js, the addon, the OpenCL library, the cache folder. */
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { installLoader } from "./remedies.js";
import { type Finding, fail, ok, warn } from "./finding.js";
import type { ProbeMessage } from "./probe-messages.js";
import type { ProbeResult } from "./run-probe.js";

export function checkNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const message = `${version} on ${process.platform}-${process.arch}`;
  if (major > 20 || (major === 20 && minor >= 19)) return ok("Node.js", message);
  return fail(
    "Node.js",
    `${message}; 20.19 or newer is required.`,
    "Install a newer version: https://nodejs.org/en/download",
  );
}

/** Returns a warning if files cannot be created in the temporary folder. */
export function checkTemporaryFolder(): readonly Finding[] {
  try {
    rmdirSync(mkdtempSync(join(tmpdir(), "clkit-doctor-")));
    return [];
  } catch {
    const message = `${tmpdir()} does not exist or is not writable, so drivers are only tested together, not one by one.`;
    return [warn("temporary folder", message, "Set TMPDIR to a folder that you can write to.")];
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the findings of a probe of the addon, the cache folder and the OpenCL library. */
export function checkRuntime({ messages, failure }: ProbeResult, env: Environment): readonly Finding[] {
  const findings = messages.flatMap((message) => findingOf(message, env));
  if (failure === undefined) return findings;
  // In the order of the probe.
  const has = (kind: ProbeMessage["kind"]): boolean => messages.some((message) => message.kind === kind);
  if (!has("addon")) return [...findings, fail("addon", failure, addonFix(env))];
  if (!has("cache")) return [...findings, fail("cache folder", failure, setCacheFolder)];
  return [...findings, fail("OpenCL library", failure, loaderFix(env))];
}

const setCacheFolder = "Set CL_CACHE_DIR to a folder that only you can write to.";

function addonFix(env: Environment): string {
  if (env["CL_CORE_BINARY"]) return "unset CL_CORE_BINARY";
  return "Reinstall @cl/core, or build its addon as described above.";
}

function loaderFix(env: Environment): string {
  return env["CL_LIBRARY_PATH"] ? "unset CL_LIBRARY_PATH" : installLoader();
}

function findingOf(message: ProbeMessage, env: Environment): readonly Finding[] {
  if (message.kind === "addon") {
    if (message.error !== undefined) return [fail("addon", message.error, addonFix(env))];
    return [ok("addon", `${message.file ?? "loaded"}${origin(message.file)}`)];
  }
  if (message.kind === "loader") {
    if (message.error !== undefined) return [fail("OpenCL library", message.error, loaderFix(env))];
    return [ok("OpenCL library", message.file ?? "opened")];
  }
  return message.kind === "cache" ? [cacheFinding(message)] : [];
}

function origin(file: string | undefined): string {
  if (file === undefined) return "";
  if (/[\\/]prebuilds[\\/]/.test(file)) return " (prebuilt)";
  return /[\\/]build[\\/]/.test(file) ? " (built on this machine)" : " (from CL_CORE_BINARY)";
}

function cacheFinding({ directory, reason, writable }: Extract<ProbeMessage, { kind: "cache" }>): Finding {
  const check = "cache folder";
  if (directory === undefined) {
    const message = `Caching is disabled: ${reason ?? "no cache folder is known"}.`;
    return reason === "CL_NO_CACHE is set" ? ok(check, message) : warn(check, message, setCacheFolder);
  }
  // The probe's folder is next to those of the packages.
  const folder = directory.replace(/[\\/][^\\/]*$/, "");
  if (writable) return ok(check, folder);
  const message = `${folder} is not used, because you cannot write to it or other users can: programs are compiled in each run.`;
  return warn(check, message, setCacheFolder);
}
