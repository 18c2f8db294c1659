/** What has to be there before any driver: Node, the addon, the OpenCL library, a place for the cache. */
import { installLoader } from "./remedies.js";
import { type Finding, fail, ok, warn } from "./finding.js";
import type { ProbeMessage } from "./probe-messages.js";
import type { Probed } from "./run-probe.js";

/** Whether Node is new enough. */
export function checkNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const message = `${version} on ${process.platform}-${process.arch}`;
  if (major > 20 || (major === 20 && minor >= 19)) return ok("Node.js", message);
  return fail(
    "Node.js",
    `${message}; 20.19 is the oldest that works.`,
    "Install a newer one: https://nodejs.org/en/download",
  );
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What a probe that looked at all of this says. */
export function checkRuntime({ messages, death }: Probed, env: Environment): readonly Finding[] {
  const findings = messages.flatMap((message) => findingOf(message, env));
  if (death === undefined) return findings;
  // In the order in which they are tried.
  const has = (kind: ProbeMessage["kind"]): boolean => messages.some((message) => message.kind === kind);
  if (!has("addon")) return [...findings, fail("addon", death, addonFix(env))];
  if (!has("cache")) return [...findings, fail("cache folder", death, elsewhere)];
  return [...findings, fail("OpenCL library", death, loaderFix(env))];
}

const elsewhere = "Set CL_CACHE_DIR to a folder that only you can write to.";

function addonFix(env: Environment): string {
  if (env["CL_CORE_BINARY"]) return "unset CL_CORE_BINARY";
  return "Install @cl/core again, or build its addon as said above.";
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
    const message = `Nothing is kept between runs: ${reason ?? "there is no folder for it"}.`;
    return reason === "CL_NO_CACHE is set" ? ok(check, message) : warn(check, message, elsewhere);
  }
  // The doctor's own folder stands beside those of the packages.
  const folder = directory.replace(/[\\/][^\\/]*$/, "");
  if (writable) return ok(check, folder);
  return warn(check, `${folder} is not used: it cannot be written, or others could write to it.`, elsewhere);
}
