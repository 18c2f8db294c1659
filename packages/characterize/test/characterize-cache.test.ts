import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { characterize, type CharacterizeOptions } from "@cl/characterize";
import { Context, type Device } from "@cl/core";
import { sample } from "@cl/testing/level";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const [device] = Context.create().devices as [Device];
// The default settings of a quick run, which are cached, and the fastest group.
const options: CharacterizeOptions = { quick: true, only: ["timer"] };

let base: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "cl-characterize-"));
  vi.stubEnv("CL_CACHE_DIR", base);
  vi.stubEnv("CL_NO_CACHE", "");
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

const folder = (): string => join(base, "characterize-v1");

function onlyFile(): string {
  const names = readdirSync(folder());
  expect(names).toHaveLength(1);
  return join(folder(), names[0] as string);
}

/** Returns whether the call measured. */
async function measures(more: CharacterizeOptions = {}): Promise<boolean> {
  let measured = false;
  await characterize(device, { ...options, ...more, onProgress: () => (measured = true) });
  return measured;
}

test("the second call reads the first one's result from the cache", async () => {
  const first = await characterize(device, options);
  expect(await measures()).toBe(false);
  expect(await characterize(device, options)).toEqual(first);
});

test("concurrent calls measure once", async () => {
  const all = await Promise.all([1, 2, 3].map(() => characterize(device, options)));
  expect(new Set(all.map(({ timer }) => timer?.measuredAt)).size).toBe(1);
});

test("only missing groups are measured, and only requested groups are returned", async () => {
  const { timer } = await characterize(device, options);
  const more = await characterize(device, { ...options, only: ["timer", "atomics"] });
  expect(more.timer).toEqual(timer);
  expect(more.atomics).toBeDefined();
  const fewer = await characterize(device, { ...options, only: ["atomics"] });
  expect(fewer).toEqual({ format: 1, device: more.device, quick: true, atomics: more.atomics });
  expect(await measures({ only: ["timer", "atomics"] })).toBe(false);
});

test("refresh measures again, caches the result, and keeps the other groups", async () => {
  const before = await characterize(device, { ...options, only: ["timer", "atomics"] });
  const refreshed = await characterize(device, { ...options, refresh: true });
  expect(refreshed.timer?.measuredAt).not.toBe(before.timer?.measuredAt);
  const cached = await characterize(device, { ...options, only: ["timer", "atomics"] });
  expect(cached.timer).toEqual(refreshed.timer);
  expect(cached.atomics).toEqual(before.atomics);
});

test("CL_NO_CACHE and cache: false disable reading and writing", async () => {
  await characterize(device, { ...options, cache: false });
  expect(readdirSync(base)).toEqual([]);
  vi.stubEnv("CL_NO_CACHE", "1");
  await characterize(device, options);
  expect(readdirSync(base)).toEqual([]);
  vi.stubEnv("CL_NO_CACHE", "");
  await characterize(device, options);
  vi.stubEnv("CL_NO_CACHE", "1");
  expect(await measures()).toBe(true);
});

test("results with non-default settings are not cached", async () => {
  await characterize(device, { ...options, duration: 0.001 });
  await characterize(device, { ...options, maxBytes: 2 ** 20 });
  expect(readdirSync(base)).toEqual([]);
});

test("quick and full results are cached separately", { tags: "ci" }, async () => {
  await characterize(device, options);
  expect(await measures({ quick: false })).toBe(true);
  expect(readdirSync(folder())).toHaveLength(2);
});

const damage: readonly ((text: string) => string | Uint8Array)[] = [
  () => "",
  (text) => text.slice(0, text.length / 2),
  (text) => text.slice(0, -1),
  (text) => text.replace(/"hostStep":(\d)/, (_, digit) => `"hostStep":${9 - Number(digit)}`),
  (text) => `${text}x`,
  () => Uint8Array.of(0xff, 0xfe, 0x0a, 0x0a),
  () => '{"a":1}\n',
  () => "\n\n\n",
];

test.each(sample(damage, 3))("a damaged file is ignored and replaced (%#)", { tags: "ci" }, async (change) => {
  await characterize(device, options);
  const file = onlyFile();
  writeFileSync(file, change(readFileSync(file, "utf8")));
  expect(await measures()).toBe(true);
  expect(onlyFile()).toBe(file);
  expect(await measures()).toBe(false);
});

test("a cache folder that other users can write to is not written", async () => {
  await characterize(device, options);
  const before = readFileSync(onlyFile(), "utf8");
  chmodSync(folder(), 0o777);
  expect(await measures()).toBe(true);
  expect(readFileSync(onlyFile(), "utf8")).toBe(before);
});

test("an aborted call caches nothing", { tags: "ci" }, async () => {
  const controller = new AbortController();
  const onProgress = (): void => controller.abort(new Error("enough"));
  const call = characterize(device, { ...options, only: ["timer", "atomics"], signal: controller.signal, onProgress });
  await expect(call).rejects.toThrow("enough");
  expect(readdirSync(base)).toEqual([]);
});
