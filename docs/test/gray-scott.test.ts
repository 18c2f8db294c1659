/** The simulation that `npm run demo` runs, shorter and smaller. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32, inflateSync } from "node:zlib";

import { CommandQueue, Context } from "@cl/core";
import { runSteps } from "@cl/launcher";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { demo } from "../../examples/gray-scott/demo.js";
import { difference, type Fields, initialFields, plainStep } from "../../examples/gray-scott/fields.js";
import { pictureOf } from "../../examples/gray-scott/picture.js";
import { simulation } from "../../examples/gray-scott/simulation.js";

const rates = { feed: 0.0545, kill: 0.062, dt: 1 };
const queue = new CommandQueue(Context.create());

describe("the simulation", () => {
  test.each([16, 24, 64])("makes steps as plain JavaScript does, on %i × the same", async (size) => {
    let plain = initialFields(size);
    const { step, read } = await simulation(queue, plain);
    for (let n = 1; n <= 10; n++) {
      await runSteps(step, { queue, steps: 1, parameters: rates });
      plain = plainStep(plain, rates);
      // Rounding differs by a unit in the last place here and there, and adds up.
      expect(difference(await read(), plain), `after ${n} steps`).toBeLessThan(1e-6 * n);
    }
  });

  test("runs across the edges, which meet", async () => {
    const size = 16;
    const corner = (index: number): Fields => {
      const v = new Float32Array(size * size);
      v[index] = 0.5;
      return { size, u: new Float32Array(size * size).fill(1), v };
    };
    for (const index of [0, size - 1, size * (size - 1), size * size - 1]) {
      const start = corner(index);
      const { step, read } = await simulation(queue, start);
      await runSteps(step, { queue, steps: 1, parameters: rates });
      expect(difference(await read(), plainStep(start, rates))).toBeLessThan(1e-6);
    }
  });

  test("keeps what is there where nothing is fed, taken away or reacts", async () => {
    const { size, v } = initialFields(64);
    const { step, read } = await simulation(queue, { size, u: new Float32Array(size * size), v });
    await runSteps(step, { queue, steps: 200, parameters: { feed: 0, kill: 0, dt: 1 } });
    const sum = (field: Float32Array): number => field.reduce((all, value) => all + value, 0);
    expect(sum((await read()).v)).toBeCloseTo(sum(v), 2);
  });

  test("a comparison finds the largest difference, and what is no number", () => {
    const one = initialFields(16);
    const off = (value: number): Fields => ({ ...one, v: one.v.with(37, value) });
    expect(difference(one, one)).toBe(0);
    expect(difference(one, off((one.v[37] as number) + 0.25))).toBeCloseTo(0.25);
    expect(difference(off(NaN), one)).toBe(Infinity);
  });
});

test("a picture is a PNG file with the field's colors", () => {
  const file = Buffer.from(pictureOf(Float32Array.of(0, 0.5, 1, 2), 2, 1));
  expect(file.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1A\n");
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const body = file.subarray(at + 4, at + 8 + length);
    expect(file.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.set(body.toString("latin1", 0, 4), body.subarray(4));
    at += 12 + length;
  }
  expect([...chunks.keys()]).toEqual(["IHDR", "IDAT", "IEND"]);
  expect([...(chunks.get("IHDR") as Buffer)]).toEqual([0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0]);
  const [midnight, green, cream] = [
    [13, 11, 40],
    [44, 143, 129],
    [253, 246, 219],
  ] as const;
  expect([...inflateSync(chunks.get("IDAT") as Buffer)]).toEqual([0, ...midnight, ...green, 0, ...cream, ...cream]);
});

describe("the demonstration", () => {
  test.each([
    [["--stepz", "7"], /^Unknown option '--stepz'[^\n]*\n$/],
    [["--steps", "0"], "--steps 0: 1 or more are needed\n"],
    [["--size", "60"], "--size 60: a multiple of 8, at least 16, is needed\n"],
  ])("takes no %j, and says so in a sentence", (args, sentence) => {
    const main = fileURLToPath(new URL("../../examples/gray-scott/dist/main.js", import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: "utf8" });
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(sentence);
  });

  let out = "";
  beforeAll(() => {
    out = mkdtempSync(join(tmpdir(), "cl-gray-scott-"));
  });
  afterAll(() => {
    rmSync(out, { recursive: true, force: true });
  });

  test("says what it does, draws, and ends where the steps one by one do", async () => {
    const print = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const folder = join(out, "short");
    try {
      const lines: string[] = [];
      const progress = { stream: { write: (text: string) => lines.push(text) }, plain: 3600 };
      const end = await demo({ steps: 510, size: 32, out: folder, progress });
      expect(lines.join("")).toMatch(/^gray-scott: 510\/510 steps \(100 %\), .* steps\/s, 0:\d\d\n$/);
      const printed = print.mock.calls.map(([text]) => String(text));
      expect(printed[0]).toBe(`Gray-Scott on 32 × 32 cells, ${queue.device.name}`);
      expect(printed[1]).toMatch(/^the first step agrees with plain JavaScript to \de-\d+$/);
      expect(printed.find((line) => line.startsWith("made"))).toMatch(
        /^made 510 of 510 steps in [\d.]+ s: \d+ a second$/,
      );
      expect(printed.at(-1)).toContain(` in ${folder}`);
      const table = printed.find((line) => line.startsWith("name")) ?? "";
      expect(table).toMatch(/\ngray-scott > diffuse +kernel +510 /);
      expect(table).toMatch(/\ngray-scott > react +kernel +510 /);
      const { traceEvents } = JSON.parse(readFileSync(join(folder, "trace.json"), "utf8")) as {
        traceEvents: readonly { readonly name: string; readonly ph: string }[];
      };
      expect(traceEvents.filter(({ name, ph }) => name === "diffuse" && ph === "X")).toHaveLength(510);
      const report = readFileSync(join(folder, "report.html"), "utf8");
      // Not with toContain, which would print all of it.
      expect(report.includes("<h1>Gray-Scott, 510 steps</h1>")).toBe(true);
      expect(report.includes('"gray-scott \\u003e react"')).toBe(true);
      const files = readdirSync(folder);
      expect(files).toEqual(
        expect.arrayContaining(["field-00500.png", "field-00510.png", "trace.json", "report.html"]),
      );
      for (const file of files) expect(printed.at(-1)).toContain(file);
      expect(existsSync(join(folder, "field-00510.png"))).toBe(true);
      const { step, read } = await simulation(queue, initialFields(32));
      for (let n = 0; n < 510; n++) step.launch(queue, rates);
      expect(difference(end, await read())).toBe(0);
      expect(end.v.some((value) => value > 0.1)).toBe(true);
    } finally {
      print.mockRestore();
    }
  });
});
