/**
 * Device selectors, used by `CL_DEVICE`, `Context.create("…")` and `CL_TEST_DEVICES` (a `;`-separated list).
 *
 * - `"gpu"`, `"cpu"`, `"accelerator"`: the first device of that type. `"all"`: all devices of the first platform that
 *   has any.
 * - `"nvidia"`: the first device for which the name or vendor of the device or its platform contains the text, ignoring
 *   case.
 * - `"pocl:0"`, `"1:0,1"`, `"nvidia:tesla"`: a platform by index or text, and its devices by index or text; `"*"` for
 *   all.
 * - `"@cl/pocl"`, `"@cl/pocl:0"`: the name of an added runtime.
 */
import { checkString, outOfRange } from "@cl/base";

import { DeviceType } from "../binding/constants.js";
import type { Device } from "./device.js";
import { type NoRuntimeError, nothingFound } from "../binding/errors.js";
import { getPlatforms, type Platform } from "./platform.js";

const types: ReadonlyMap<string, number> = new Map([
  ["gpu", DeviceType.GPU],
  ["cpu", DeviceType.CPU],
  ["accelerator", DeviceType.ACCELERATOR],
]);

/** Common names of platforms that report a different name. */
const platformAliases: ReadonlyMap<string, string> = new Map([["pocl", "portable computing language"]]);

/** Returns the devices that a selector matches. Throws, listing the available devices, if it matches none. */
export function selectDevices(selector: string): readonly Device[] {
  const text = checkString(selector, "selector").trim();
  if (text === "") throw selectorError(selector, "it is empty");
  const colon = text.indexOf(":");
  return colon < 0 ? byWord(text) : byPlatform(text.slice(0, colon), text.slice(colon + 1), text);
}

/** Returns one list of devices per selector in a `;`-separated list such as `CL_TEST_DEVICES`. */
export function selectDeviceLists(selectors: string): readonly (readonly Device[])[] {
  return checkString(selectors, "selectors")
    .split(";")
    .filter((part) => part.trim() !== "")
    .map(selectDevices);
}

/** Returns the devices of `CL_DEVICE` if it is set, else the first GPU, else the first device. */
export function defaultDevices(): readonly Device[] {
  const selector = process.env["CL_DEVICE"];
  if (selector !== undefined && selector !== "") return selectDevices(selector);
  const devices = allDevices();
  const device = devices.find((candidate) => (candidate.type & DeviceType.GPU) !== 0) ?? devices[0];
  if (device === undefined) throw noDevice();
  return [device];
}

function allDevices(): Device[] {
  return getPlatforms().flatMap((platform) => platform.devices);
}

function byWord(word: string): readonly Device[] {
  const lower = word.toLowerCase();
  if (/^\d+$/.test(word)) return byPlatform(word, "0", word);
  if (lower === "all") {
    const devices = getPlatforms().find((platform) => platform.devices.length > 0)?.devices ?? [];
    if (devices.length === 0) throw noDevice();
    return devices;
  }
  const type = types.get(lower);
  const device = allDevices().find((candidate) =>
    type === undefined
      ? platformMatches(candidate.platform, lower) || deviceMatches(candidate, lower)
      : (candidate.type & type) !== 0,
  );
  if (device === undefined) {
    throw selectorError(word, type === undefined ? "no device or platform has that name" : "no device has that type");
  }
  return [device];
}

function byPlatform(platformPart: string, devicePart: string, selector: string): readonly Device[] {
  const platforms = getPlatforms();
  const name = platformPart.trim().toLowerCase();
  const platform = /^\d+$/.test(name)
    ? platforms[Number(name)]
    : platforms.find((candidate) => name !== "" && platformMatches(candidate, name));
  if (platform === undefined) throw selectorError(selector, `no platform matches "${platformPart}"`);
  const platformDevices = platform.devices;
  if (devicePart.trim() === "*") return platformDevices;
  const chosen = devicePart.split(",").map((part) => {
    const word = part.trim().toLowerCase();
    const device = /^\d+$/.test(word)
      ? platformDevices[Number(word)]
      : platformDevices.find(
          (candidate) =>
            word !== "" && (deviceMatches(candidate, word) || (candidate.type & (types.get(word) ?? 0)) !== 0),
        );
    if (device === undefined) throw selectorError(selector, `platform "${platform.name}" has no device "${part}"`);
    return device;
  });
  return [...new Set(chosen)];
}

function platformMatches(platform: Platform, lower: string): boolean {
  const text = `${platform.name} ${platform.vendor}`.toLowerCase();
  return (
    text.includes(lower) ||
    text.includes(platformAliases.get(lower) ?? lower) ||
    platform.runtime.name.toLowerCase() === lower
  );
}

function deviceMatches(device: Device, lower: string): boolean {
  return `${device.name} ${device.vendor}`.toLowerCase().includes(lower);
}

function noDevice(): NoRuntimeError {
  const names = getPlatforms().map((platform) => platform.name);
  return nothingFound("device", names);
}

function selectorError(selector: string, reason: string): RangeError {
  const lines = getPlatforms().flatMap((platform, p) =>
    platform.devices.map((device, d) => `  ${p}:${d}  ${platform.name} / ${device.name}`),
  );
  return outOfRange(
    [`the device selector "${selector}" selects nothing: ${reason}. Available devices:`, ...lines].join("\n"),
    {
      code: "ERR_CL_NO_DEVICE",
    },
  );
}
