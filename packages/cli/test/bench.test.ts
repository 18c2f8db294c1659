import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { characteristicsTable, isCharacteristics } from "@cl/characterize";
import { Context } from "@cl/core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { call } from "./support/clkit.js";

const [device] = Context.create().devices;
if (device === undefined) throw new Error("no device");

let folder: string;

// The first test measures, later tests read from this cache.
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "clkit-bench-"));
  vi.stubEnv("CL_CACHE_DIR", folder);
  vi.stubEnv("CL_NO_CACHE", "");
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const launches = ["bench", "--quick", "--only", "launch"];

test("bench measures a device with progress on stderr and prints bars", async () => {
  const { code, out, err } = await call(launches, { live: true, width: 70 });
  expect(code).toBe(0);
  expect(out.split("\n")[0]).toBe(`${device.name.trim()}, driver ${device.driverVersion} (quick)`);
  // One bar is the longest; on a busy machine, the first bar may be empty.
  expect(out).toMatch(/^Launches in flight\n {2}in order +[█▏▎▍▌▋▊▉]* +[\d.]+[kMG]? launches\/s +±\d+ %\n/m);
  expect(out).toMatch(/^ {2}.* █{15,} /m);
  expect(out).not.toContain("Transfers");
  for (const line of out.split("\n").slice(1)) expect(line.length).toBeLessThanOrEqual(70);
  expect(err).toMatch(/^\r +\d+ % [█░]{24} .*launch/);
  expect(err.endsWith("\r\u001B[K")).toBe(true);
});

test("bench caches results, and measures again with --fresh", async () => {
  const first = await call([...launches, "--json"], { live: true });
  expect(first.err).toBe("");
  const results = JSON.parse(first.out) as unknown[];
  expect(results.map((result) => isCharacteristics(result))).toEqual([true]);
  const again = await call([...launches, "--json", "--fresh"], { live: true });
  expect(again.err).not.toBe("");
  expect(again.out).not.toBe(first.out);
});

test("bench prints no progress without a terminal", async () => {
  expect((await call(["bench", "--quick", "--only=timer", "--fresh"])).err).toBe("");
});

test("--all prints every value", async () => {
  const [result] = JSON.parse((await call([...launches, "--json"])).out) as Parameters<typeof characteristicsTable>;
  expect((await call([...launches, "--all"])).out).toBe(characteristicsTable(result));
});

test("--svg writes the selected plot, to the target of a symbolic link, and leaves no temporary files", async () => {
  const place = mkdtempSync(join(folder, "plots-"));
  const old = join(place, "old.svg");
  const link = join(place, "link.svg");
  writeFileSync(old, "old");
  symlinkSync(old, link);
  expect(await call([...launches, "--svg", link, "--plot", "launch"])).toMatchObject({ code: 0 });
  expect(readFileSync(old, "utf8")).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readdirSync(place)).toEqual(["link.svg", "old.svg"]);
});

test("a plot that cannot be written is reported before the measurement", async () => {
  const file = join(folder, "nowhere", "launch.svg");
  const args = [...launches, "--fresh", "--plot", "launch", "--svg"];
  expect(await call([...args, file], { live: true })).toMatchObject({ code: 1, err: expect.stringContaining(file) });
  const { code, err } = await call([...args, folder], { live: true });
  expect([code, err]).toEqual([1, expect.stringContaining(`${folder} is a folder`)]);
});

test.each([
  ["--only launch,wings", 'received "wings"'],
  ["--only=", 'received ""'],
  ["--svg x.svg --plot pie", "--plot must be one of roofline, bandwidth, launch"],
  ["--plot launch", "--plot requires --svg FILE"],
  ["--svg x.svg --only compute,timer", "The plot roofline requires global-memory"],
  ["--all --json", "--json already includes all results"],
])("%j is rejected before the measurement", async (args, sentence) => {
  const { code, out, err } = await call(["bench", ...args.split(" ")], { live: true });
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(sentence);
});

test("a selector without a match fails", async () => {
  const { code, err } = await call(["bench", "--device", "9:9"]);
  expect([code, err]).toEqual([1, expect.stringContaining('"9:9"')]);
});
