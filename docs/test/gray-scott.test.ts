/** The simulation of `npm run demo`, with fewer steps and cells. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";

import { CommandQueue, Context } from "@cl/core";
import { runSteps } from "@cl/launcher";
import { sample } from "@cl/testing/level";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { demo } from "../../examples/gray-scott/demo.js";
import { difference, type Fields, initialFields, plainStep } from "../../examples/gray-scott/fields.js";
import { pictureOf } from "../../examples/gray-scott/picture.js";
import { simulation } from "../../examples/gray-scott/simulation.js";
import { chunksOf } from "./support/png-chunks.js";

const rates = { feed: 0.0545, kill: 0.062, dt: 1 };
const queue = new CommandQueue(Context.create());

describe("the simulation", () => {
  test.each(sample([24, 16, 64], 1))("computes the same steps as plain JavaScript for size %i", async (size) => {
    let plain = initialFields(size);
    const { step, read } = await simulation(queue, plain);
    for (let n = 1; n <= 10; n++) {
      await runSteps(step, { queue, steps: 1, parameters: rates });
      plain = plainStep(plain, rates);
      // Rounding errors accumulate.
      expect(difference(await read(), plain), `after ${n} steps`).toBeLessThan(1e-6 * n);
    }
  });

  test("has periodic boundaries", async () => {
    const size = 16;
    const corner = (index: number): Fields => {
      const v = new Float32Array(size * size);
      v[index] = 0.5;
      return { size, u: new Float32Array(size * size).fill(1), v };
    };
    for (const index of [0, size * size - 1]) {
      const start = corner(index);
      const { step, read } = await simulation(queue, start);
      await runSteps(step, { queue, steps: 1, parameters: rates });
      expect(difference(await read(), plainStep(start, rates))).toBeLessThan(1e-6);
    }
  });

  test("conserves v without feed, kill and reaction", { tags: "ci" }, async () => {
    const { size, v } = initialFields(64);
    const { step, read } = await simulation(queue, { size, u: new Float32Array(size * size), v });
    await runSteps(step, { queue, steps: 200, parameters: { feed: 0, kill: 0, dt: 1 } });
    const sum = (field: Float32Array): number => field.reduce((all, value) => all + value, 0);
    expect(sum((await read()).v)).toBeCloseTo(sum(v), 2);
  });

  test("difference() returns the largest difference, and Infinity for NaN", () => {
    const fields = initialFields(16);
    const changed = (value: number): Fields => ({ ...fields, v: fields.v.with(37, value) });
    expect(difference(fields, fields)).toBe(0);
    expect(difference(fields, changed((fields.v[37] as number) + 0.25))).toBeCloseTo(0.25);
    expect(difference(changed(NaN), fields)).toBe(Infinity);
  });
});

test("pictureOf() encodes a PNG file with the field's colors", () => {
  const file = Buffer.from(pictureOf(Float32Array.of(0, 0.5, 1, 2), 2, 1));
  const chunks = new Map(chunksOf(file).map(({ type, data }) => [type, data]));
  expect([...chunks.keys()]).toEqual(["IHDR", "IDAT", "IEND"]);
  expect([...(chunks.get("IHDR") as Buffer)]).toEqual([0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0]);
  const [midnight, green, cream] = [
    [13, 11, 40],
    [44, 143, 129],
    [253, 246, 219],
  ] as const;
  expect([...inflateSync(chunks.get("IDAT") as Buffer)]).toEqual([0, ...midnight, ...green, 0, ...cream, ...cream]);
});

describe("the demo", () => {
  test.each([
    [["--stepz", "7"], /^Unknown option '--stepz'[^\n]*\n$/],
    [["--steps", "0"], "--steps must be a positive integer, received 0\n"],
    [["--size", "60"], "--size must be a multiple of 8 and at least 16, received 60\n"],
  ])("rejects %j with a one-line message", { tags: "ci" }, (args, sentence) => {
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

  test(
    "prints a summary, writes its files, and ends with the same fields as single steps",
    { tags: "ci" },
    async () => {
      const print = vi.spyOn(console, "log").mockImplementation(() => undefined);
      const folder = join(out, "short");
      try {
        const lines: string[] = [];
        const progress = { stream: { write: (text: string) => lines.push(text) }, lineInterval: 3600 };
        const end = await demo({ steps: 510, size: 32, out: folder, progress });
        expect(lines.join("")).toMatch(/^gray-scott: 510\/510 steps \(100 %\), .* steps\/s, 0:\d\d\n$/);
        const printed = print.mock.calls.map(([text]) => String(text));
        expect(printed[0]).toBe(`Gray-Scott on 32 × 32 cells, ${queue.device.name}`);
        expect(printed[1]).toMatch(/^the first step agrees with plain JavaScript to \de-\d+$/);
        expect(printed.find((line) => line.startsWith("completed"))).toMatch(
          /^completed 510 of 510 steps in [\d.]+ s \(\d+ steps\/s\)$/,
        );
        expect(printed.at(-1)).toContain(` to ${folder}`);
        const table = printed.find((line) => line.startsWith("name")) ?? "";
        expect(table).toMatch(/\ngray-scott > diffuse +kernel +510 /);
        expect(table).toMatch(/\ngray-scott > react +kernel +510 /);
        const { traceEvents } = JSON.parse(readFileSync(join(folder, "trace.json"), "utf8")) as {
          traceEvents: readonly { readonly name: string; readonly ph: string }[];
        };
        expect(traceEvents.filter(({ name, ph }) => name === "diffuse" && ph === "X")).toHaveLength(510);
        const report = readFileSync(join(folder, "report.html"), "utf8");
        // toContain would print the whole report on failure.
        expect(report.includes("<h1>Gray-Scott, 510 steps</h1>")).toBe(true);
        expect(report.includes('"gray-scott \\u003e react"')).toBe(true);
        const files = readdirSync(folder);
        expect(files).toEqual(
          expect.arrayContaining(["field-00500.png", "field-00510.png", "trace.json", "report.html"]),
        );
        for (const file of files) expect(printed.at(-1)).toContain(file);
        const { step, read } = await simulation(queue, initialFields(32));
        for (let n = 0; n < 510; n++) step.launch(queue, rates);
        expect(difference(end, await read())).toBe(0);
        expect(end.v.some((value) => value > 0.1)).toBe(true);
      } finally {
        print.mockRestore();
      }
    },
  );
});
