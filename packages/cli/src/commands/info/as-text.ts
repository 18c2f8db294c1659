/** Formats platforms and devices as text. */
import { formatBytes } from "@cl/base/units";
import { type Device, DeviceType, type Platform } from "@cl/core";

import type { Output } from "../../io.js";
import { style } from "../../style.js";
import type { ListedPlatform } from "./machine.js";
import { type QueriedProperties, queryProperties } from "./properties.js";

/** Returns a few lines for each device. */
export function asTree(platforms: readonly ListedPlatform[], output: Output): string {
  const lines = platforms.flatMap(({ index, platform, devices }) => [
    `${style(output, "dim", String(index))}  ${style(output, "bold", platform.name)}  ${platform.version}`,
    `   ${style(output, "dim", `from ${runtimeText(platform)}`)}`,
    ...devices.flatMap(({ selector, device }) => [
      `   ${style(output, "cyan", selector)}  ${style(output, "bold", device.name.trim())}`,
      `${" ".repeat(selector.length + 5)}${briefDescription(device)}`,
    ]),
    ...(devices.length === 0 ? ["   no device"] : []),
  ]);
  return `${lines.join("\n")}\n`;
}

/** Names where a platform comes from: the system's OpenCL library or an added runtime. */
function runtimeText({ runtime: { name, path } }: Platform): string {
  return name === path ? path : `${name} (${path})`;
}

function withRuntime(platform: Platform): QueriedProperties {
  const { properties, failures } = queryProperties(platform);
  return { properties: { ...properties, runtime: runtimeText(platform) }, failures };
}

function briefDescription(device: Device): string {
  const kinds = ["CPU", "GPU", "ACCELERATOR", "CUSTOM"] as const;
  const kind = kinds.filter((name) => (device.type & DeviceType[name]) !== 0).join("+");
  return [
    kind === "" ? "unknown type" : kind,
    `${device.maxComputeUnits} compute units at ${device.maxClockFrequency} MHz`,
    formatBytes(device.globalMemSize),
    device.version.split(" ").slice(0, 2).join(" "),
    `driver ${device.driverVersion}`,
    ...(device.available ? [] : ["not available"]),
  ].join(", ");
}

/** Returns all properties of each platform and device. */
export function asList(platforms: readonly ListedPlatform[], output: Output): string {
  const parts = platforms.flatMap(({ index, platform, devices }) => [
    heading(output, `platform ${index}`, platform.name),
    rows(withRuntime(platform), output),
    ...devices.flatMap(({ selector, device }) => [
      heading(output, `device ${selector}`, device.name),
      rows(queryProperties(device), output),
    ]),
  ]);
  return parts.join("\n");
}

function heading(output: Output, what: string, name: string): string {
  return style(output, "bold", `${what}: ${name.trim()}`);
}

function rows({ properties, failures }: QueriedProperties, output: Output): string {
  const width = Math.max(...Object.keys({ ...properties, ...failures }).map((name) => name.length));
  const row = (name: string, text: string): string =>
    `  ${style(output, "cyan", name.padEnd(width))}  ${text}`.trimEnd();
  const room = Math.max(40, output.width - width - 4);
  const lines = Object.entries(properties).flatMap(([name, value]) => {
    const [first = "", ...more] = valueLines(name, value, room);
    return [row(name, first), ...more.map((text) => row("", text))];
  });
  const failed = Object.entries(failures).map(([name, message]) => row(name, style(output, "red", message)));
  return `${[...lines, ...failed].join("\n")}\n`;
}

/** Returns the lines of a value: one, or more for a long list. */
function valueLines(name: string, value: unknown, room: number): readonly string[] {
  if (Array.isArray(value)) return value.length === 0 ? ["none"] : wrap(value.map(plainText), room);
  if (typeof value === "number" && isBytes(name) && value >= 1024) return [`${value} (${formatBytes(value)})`];
  return [value === "" ? "none" : plainText(value)];
}

function wrap(texts: readonly string[], room: number): readonly string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 2 + text.length <= room) lines[lines.length - 1] = `${line}, ${text}`;
    else lines.push(text);
  }
  return lines;
}

function isBytes(name: string): boolean {
  return /(Mem|Cache|Alloc|Buffer|Variable|Total)Size$/.test(name) && name !== "imageMaxBufferSize";
}

function plainText(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value === null || typeof value !== "object") return String(value);
  if ("name" in value && "version" in value) return `${String(value.name)} ${String(value.version)}`;
  return Object.entries(value)
    .map(([key, item]) => `${key} ${plainText(item)}`)
    .join(", ");
}
