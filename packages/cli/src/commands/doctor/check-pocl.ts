/** Checks the runtime of `@cl/pocl` in a separate process, without the system's drivers. */
import { deviceFindings } from "./check-drivers.js";
import { type Finding, fail, ok } from "./finding.js";
import { type ProbeOptions, type ProbeResult, runProbe } from "./run-probe.js";
import { withoutDrivers } from "./without-drivers.js";

/** Result of checking `@cl/pocl`. */
export interface PoclCheck {
  /** Empty if the package is not installed. */
  readonly findings: readonly Finding[];
  /** Whether a program that imports it has a device that works. */
  readonly works: boolean;
}

/** Checks `@cl/pocl`. */
export async function checkPocl(options: ProbeOptions): Promise<PoclCheck> {
  const result = await probePocl(options);
  const findings = findingsOf(result);
  const isAdded = result.messages.some((message) => message.kind === "pocl" && message.state === "added");
  return { findings, works: isAdded && findings.every(({ status }) => status === "ok") };
}

async function probePocl({ env, timeout }: ProbeOptions): Promise<ProbeResult> {
  const alone = { ...withoutDrivers(env), CL_LIBRARY_PATH: undefined, CL_NO_CACHE: "1" };
  return runProbe({ pocl: true, platforms: true, kernels: true }, { env: alone, timeout });
}

function findingsOf({ messages, failure }: ProbeResult): readonly Finding[] {
  const check = "@cl/pocl";
  const pocl = messages.find((message) => message.kind === "pocl");
  if (pocl?.state === "absent") return [];
  if (pocl?.state === "off") return [ok(check, "Turned off: CL_POCL is 0.")];
  if (pocl?.state === "failed") return [fail(check, pocl.reason, disable)];
  const platforms = messages.filter((message) => message.kind === "platform");
  const devices = deviceFindings(messages, check);
  if (failure !== undefined) return [...devices, fail(check, failure, disable)];
  if (!platforms.some(({ devices }) => devices > 0)) return [fail(check, "It has no device.", disable)];
  return [...platforms.map(({ version, runtime }) => ok(check, `${version.trim()} from ${runtime}`)), ...devices];
}

const disable = "Reinstall @cl/pocl, or turn it off: export CL_POCL=0";
