import { Context, getPlatforms } from "@cl/core";
import { expect, test } from "vitest";

import { call } from "./support/clkit.js";

const platforms = getPlatforms();
const [device] = Context.create().devices;
if (device === undefined) throw new Error("no device");

type Properties = Readonly<Record<string, unknown>>;
interface ListedDevice {
  readonly selector: string;
  readonly name: string;
  readonly properties: Properties;
  readonly failures: Properties;
}
interface ListedPlatform {
  readonly index: number;
  readonly runtime: unknown;
  readonly properties: Properties;
  readonly devices: readonly ListedDevice[];
}

/** Returns the platforms that `info --json` lists. */
async function listed(...args: readonly string[]): Promise<readonly ListedPlatform[]> {
  const { code, out } = await call(["info", "--json", ...args]);
  expect(code).toBe(0);
  return (JSON.parse(out) as { readonly platforms: readonly ListedPlatform[] }).platforms;
}

test("the tree lists every platform and device with its selector", async () => {
  const { code, out, err } = await call(["info"]);
  expect([code, err]).toEqual([0, ""]);
  for (const [p, platform] of platforms.entries()) {
    expect(out).toContain(`${p}  ${platform.name}  ${platform.version}\n`);
    for (const [d, one] of platform.devices.entries()) expect(out).toContain(`${p}:${d}  ${one.name.trim()}\n`);
  }
});

test("--device shows only the selected devices", async () => {
  const [platform, ...others] = await listed("--device", "0:0");
  expect([platform?.index, platform?.devices.map(({ selector }) => selector), others]).toEqual([0, ["0:0"], []]);
});

test("a selector without a match fails with a list of the devices", async () => {
  const { code, out, err } = await call(["info", "--device", "7:0"]);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(/"7:0"[^]*0:0/);
});

test("--json contains the device's properties, with names for constants", async () => {
  const listing = await listed();
  const one = listing.flatMap(({ devices }) => devices).find(({ name }) => name === device.name);
  expect(one?.properties).toMatchObject({
    name: device.name,
    maxComputeUnits: device.maxComputeUnits,
    maxWorkItemSizes: device.maxWorkItemSizes,
    extensions: device.extensions,
    imageSupport: device.imageSupport,
    numericVersion: device.numericVersion,
  });
  expect(one?.properties["type"]).toEqual(expect.arrayContaining([expect.stringMatching(/^(CPU|GPU|ACCELERATOR)$/)]));
  expect(one?.properties["localMemType"]).toMatch(/^(LOCAL|GLOBAL)$/);
  expect(one?.failures).toEqual({});
  expect(listing[0]?.properties).toMatchObject({ name: platforms[0]?.name, vendor: platforms[0]?.vendor });
});

test("--all prints a line for each property of --json", async () => {
  const [platform] = await listed("-d", "0:0");
  const { out } = await call(["info", "--all", "-d", "0:0"]);
  const names = Object.keys(platform?.devices[0]?.properties ?? {});
  expect(names.length).toBeGreaterThan(80);
  for (const name of names) expect(out).toMatch(new RegExp(`^ {2}${name} `, "m"));
  expect(out).not.toMatch(/undefined|\[object/);
});

test.each([["--all", "--json"], ["--device"]])("%s %s is rejected", async (...args) => {
  expect(await call(["info", ...args])).toMatchObject({ code: 2, out: "" });
});

test("every platform is listed with the runtime that it comes from", async () => {
  const { name, path } = getPlatforms()[0]?.runtime ?? {};
  expect((await call(["info"])).out).toContain(`   from ${name} (${path})\n`);
  expect((await call(["info", "--all"])).out).toMatch(/^ {2}runtime +system \(/m);
  expect((await listed())[0]?.runtime).toEqual({ name, path });
});
