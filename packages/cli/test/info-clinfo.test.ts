/**
 * Compares `clkit info` with clinfo.
 *
 * @module-tag ci
 */
import { spawnSync } from "node:child_process";
import { needs } from "@cl/tools/testing";
import { expect, test } from "vitest";

import { spawnClkit } from "./support/spawn-clkit.js";

// Without a limit, PoCL reports the memory that is currently free.
const limit = { POCL_MEMORY_LIMIT: "1" };

/** Properties that clinfo formats differently, that differ between processes, or that clinfo reads uninitialized on NVIDIA. */
const incomparable = new Set([
  "CL_DEVICE_PCI_BUS_INFO_KHR",
  "CL_DEVICE_TOPOLOGY_AMD",
  "CL_DEVICE_GLOBAL_FREE_MEMORY_AMD",
  "CL_DEVICE_LUID_KHR",
]);

test("info reports the same as clinfo for each device", async (run) => {
  const clinfo = spawnSync("clinfo", ["--raw"], { encoding: "utf8", env: { ...process.env, ...limit } });
  needs(run, clinfo.error === undefined && clinfo.status === 0, "clinfo is not installed (apt install clinfo)");
  needs(run, !process.env["CL_LIBRARY_PATH"], "clinfo does not use CL_LIBRARY_PATH");
  const listing = JSON.parse((await spawnClkit(["info", "--json"], limit)).out) as {
    platforms: { devices: { properties: Record<string, unknown> }[] }[];
  };
  const devices = listing.platforms.flatMap((platform) => platform.devices);
  const expectedDevices = clinfoDevices(clinfo.stdout);
  expect(expectedDevices).toHaveLength(devices.length);
  for (const [i, { properties }] of devices.entries()) {
    const answers = expectedDevices[i] as ReadonlyMap<string, string>;
    const compared = Object.entries(properties).filter(([name]) => answers.has(name));
    expect(compared.length).toBeGreaterThan(70);
    const [actual, expected] = [{}, {}] as [Record<string, unknown>, Record<string, unknown>];
    for (const [name, value] of compared) {
      actual[name] = comparable(name === "doubleFpConfig" ? withoutDivideSqrt(value) : value);
      expected[name] = readAs(value, answers.get(name) as string);
    }
    expect(actual).toEqual(expected);
  }
});

/** clinfo's values by our property names, one map per device in clinfo's order. */
function clinfoDevices(text: string): ReadonlyMap<string, string>[] {
  const devices = new Map<string, Map<string, string>>();
  for (const [, tag, constant, value] of text.matchAll(/^\[(\S+\/\d+)\] +CL_(\w+) *(.*)$/gm)) {
    if (incomparable.has(`CL_${constant}`)) continue;
    const name = (constant as string)
      .replace(/^DEVICE_/, "")
      .toLowerCase()
      .replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    const answers = devices.get(tag as string) ?? new Map<string, string>();
    devices.set(tag as string, answers.set(name, value as string));
  }
  return [...devices.values()];
}

/** Parses clinfo's text as the type of our value. */
function readAs(ours: unknown, text: string): unknown {
  if (typeof ours === "boolean") return text === "CL_TRUE";
  if (typeof ours === "number") return Number(text);
  if (typeof ours === "string") {
    if (/^0x[0-9a-f]+$/.test(text)) return version(text);
    return /^CL_[A-Z_]+$/.test(text) ? text.replace(/^CL_/, "") : text.trim();
  }
  const list = ours as readonly unknown[];
  if (list.some((one) => typeof one === "object")) {
    return [...text.matchAll(/(\S.*?):(0x[0-9a-f]+)(?: |$)/g)].map(
      ([, name, packed]) => `${name} ${version(packed as string)}`,
    );
  }
  if (text === "CL_NONE") return [];
  if (text.includes("CL_")) {
    const names = text.split(/ \| /);
    // Our names lack the group's prefix; NATIVE_KERNEL also ends with KERNEL.
    const ends = list.map((one) => `_${String(one)}`).sort((one, other) => other.length - one.length);
    return names.map((name) => ends.find((end) => name.endsWith(end))?.slice(1) ?? name).sort(byText);
  }
  return text
    .split(/[\s;]+/)
    .filter((word) => word !== "")
    .sort(byText);
}

function comparable(value: unknown): unknown {
  if (typeof value === "string") return value.trim();
  if (!Array.isArray(value)) return value;
  const isVersioned = value.some((one) => typeof one === "object");
  if (!isVersioned) return value.map(String).sort(byText);
  return (value as { name: string; version: string }[]).map(({ name, version }) => `${name} ${version}`);
}

function byText(a: unknown, b: unknown): number {
  return String(a) < String(b) ? -1 : 1;
}

/** clinfo shows this bit only for `float`. */
function withoutDivideSqrt(flags: unknown): unknown {
  return (flags as readonly string[]).filter((flag) => flag !== "CORRECTLY_ROUNDED_DIVIDE_SQRT");
}

/** A packed version: 10 bits, 10 bits, 12 bits. */
function version(packed: string): string {
  const bits = Number(packed);
  return `${bits >>> 22}.${(bits >>> 12) & 0x3ff}.${bits & 0xfff}`;
}
