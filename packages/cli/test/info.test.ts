import { Context, getPlatforms } from "@cl/core";
import { expect, test } from "vitest";

import { call } from "./support/clkit.js";

const platforms = getPlatforms();
const [device] = Context.create().devices;
if (device === undefined) throw new Error("no device");

interface Listing {
  readonly platforms: readonly {
    readonly index: number;
    readonly name: string;
    readonly properties: Readonly<Record<string, unknown>>;
    readonly devices: readonly {
      readonly selector: string;
      readonly name: string;
      readonly properties: Readonly<Record<string, unknown>>;
      readonly failures: Readonly<Record<string, string>>;
    }[];
  }[];
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
  const { code, out } = await call(["info", "--json", "--device", "0:0"]);
  expect(code).toBe(0);
  const listing = JSON.parse(out) as Listing;
  expect(listing.platforms.map(({ index }) => index)).toEqual([0]);
  expect(listing.platforms[0]?.devices.map(({ selector }) => selector)).toEqual(["0:0"]);
});

test("a selector without a match fails with a list of the devices", async () => {
  const { code, out, err } = await call(["info", "--device", "7:0"]);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain('clkit info: the device selector "7:0" selects nothing');
  expect(err).toContain("0:0");
});

test("--json contains the device's properties, with names for constants", async () => {
  const listing = JSON.parse((await call(["info", "--json"])).out) as Listing;
  const one = listing.platforms.flatMap(({ devices }) => devices).find(({ name }) => name === device.name);
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
  expect(listing.platforms[0]?.properties).toMatchObject({ name: platforms[0]?.name, vendor: platforms[0]?.vendor });
});

test("--all prints a line for each property of --json", async () => {
  const listing = JSON.parse((await call(["info", "--json", "-d", "0:0"])).out) as Listing;
  const { out } = await call(["info", "--all", "-d", "0:0"]);
  const names = Object.keys(listing.platforms[0]?.devices[0]?.properties ?? {});
  expect(names.length).toBeGreaterThan(80);
  for (const name of names) expect(out).toMatch(new RegExp(`^ {2}${name} `, "m"));
  expect(out).not.toMatch(/undefined|\[object/);
});

test("--all and --json cannot be combined", async () => {
  expect(await call(["info", "--all", "--json"])).toMatchObject({ code: 2, out: "" });
});

test("--device without a value is rejected", async () => {
  const { code, err } = await call(["info", "--device"]);
  expect(code).toBe(2);
  expect(err).toContain("--device requires a value: --device SELECTOR.");
});

test("every platform is listed with the runtime that it comes from", async () => {
  const { name, path } = getPlatforms()[0]?.runtime ?? {};
  expect((await call(["info"])).out).toContain(`   from ${name} (${path})\n`);
  expect((await call(["info", "--all"])).out).toMatch(new RegExp(`^ {2}runtime +system \\(`, "m"));
  const { platforms: listed } = JSON.parse((await call(["info", "--json"])).out) as {
    readonly platforms: readonly { readonly runtime: unknown }[];
  };
  expect(listed[0]?.runtime).toEqual({ name, path });
});
