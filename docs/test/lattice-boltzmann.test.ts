/** The numbers and the files of examples/lattice-boltzmann. */
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";

import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";
import { runSteps } from "@cl/launcher";
import { sample } from "@cl/testing/level";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { AnimatedPng } from "../../examples/lattice-boltzmann/apng.js";
import { cavityProfile, ghia } from "../../examples/lattice-boltzmann/cavity.js";
import { type Flow, lattice, omegaOf } from "../../examples/lattice-boltzmann/lattice.js";
import { type Decay, vortices } from "../../examples/lattice-boltzmann/vortices.js";
import { encode, wake } from "../../examples/lattice-boltzmann/wake.js";
import { chunksOf } from "./support/png-chunks.js";

const queue = new CommandQueue(Context.create());
const example = new URL("../../examples/lattice-boltzmann/", import.meta.url);

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lattice-boltzmann-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("Taylor-Green vortices", () => {
  const decays = [
    { precision: "float32", axes: [0, 1], massTolerance: 1e-6 },
    { precision: "float32", axes: [1, 2], massTolerance: 1e-6 },
    // Rounding to float16 does not conserve the mass exactly.
    { precision: "float16", axes: [2, 0], massTolerance: 1e-5 },
  ] as const;
  test.each(sample(decays, 1))(
    "stored as $precision in the plane of the axes $axes decay analytically",
    { tags: "ci" },
    async (given) => {
      const { massTolerance, ...options } = given;
      const viscosity = 0.05;
      const decay = (await vortices(queue, { cells: 32, viscosity, steps: 180, ...options })) as Decay;
      expect(Math.abs(decay.viscosity / viscosity - 1)).toBeLessThan(0.01);
      expect(decay.error).toBeLessThan(0.005);
      expect(Math.abs(decay.massChange)).toBeLessThan(massTolerance);
    },
  );

  test("have a quarter of the error on twice as many cells", { tags: "full" }, async () => {
    const errorOf = async (cells: number): Promise<number> => {
      // The same part of the decay.
      const steps = 180 * (cells / 32) ** 2;
      return ((await vortices(queue, { cells, viscosity: 0.05, steps })) as Decay).viscosity / 0.05 - 1;
    };
    const [coarse, fine] = [await errorOf(32), await errorOf(64)];
    expect(coarse / fine).toBeGreaterThan(3.5);
    expect(coarse / fine).toBeLessThan(4.5);
  });
});

describe("a box with a moving lid", () => {
  test("has the velocities of Ghia, Ghia and Shin (1982)", { tags: "full" }, async () => {
    const profile = await cavityProfile(queue, { cells: 48, reynolds: 100, steps: 12_000 });
    for (const [y, u] of ghia) expect(Math.abs((profile?.(y) as number) - u)).toBeLessThan(0.02);
  });

  test("keeps its mass", { tags: "ci" }, async () => {
    const n = 18;
    const box = await lattice(queue, {
      size: [n, n, 3],
      cellAt: (x, y) => (x === 0 || x === n - 1 || y === 0 ? "wall" : y === n - 1 ? "moving wall" : "fluid"),
    });
    const flow = async (): Promise<Flow> => (await box.read()) as Flow;
    const massOf = async (): Promise<number> => (await flow()).density.reduce((sum, value) => sum + value, 0);
    const before = await massOf();
    await runSteps(box.steps, {
      queue,
      steps: 500,
      parameters: { omega: omegaOf(0.016), inflow: 0, wall: 0.1 },
    });
    expect(Math.abs((await massOf()) / before - 1)).toBeLessThan(1e-6);
    // The lid moves the fluid below it.
    expect((await flow()).velocity[0][n * (n - 2) + n / 2]).toBeGreaterThan(0.01);
  });
});

test("the flow around a cylinder is drawn, with opposite vorticity on both sides", { tags: "ci" }, async () => {
  const pictures: number[] = [];
  const { result, cells } = await wake(queue, {
    cells: 8,
    reynolds: 40,
    steps: 200,
    precision: "float32",
    outputs: [
      {
        steps: 100,
        scale: 4,
        draw: async (picture, step) => {
          pictures.push(step);
          expect(Buffer.from(await encode(queue, picture)).toString("latin1", 1, 4)).toBe("PNG");
          // Clockwise above, and counterclockwise below.
          const { width, height, vorticity } = picture;
          const row = (y: number): number => vorticity.subarray(y * width, (y + 1) * width).reduce((a, b) => a + b, 0);
          expect(row(Math.floor(height * 0.35))).toBeLessThan(0);
          expect(row(Math.floor(height * 0.65))).toBeGreaterThan(0);
        },
      },
    ],
  });
  expect([result.steps, cells, pictures]).toEqual([100, 32 * 16 * 8, [100, 200]]);
});

/** Returns the rows of each frame of an animation, whose chunks must be complete and in order. */
function framesOf(file: Buffer): { readonly frames: Buffer[]; readonly delays: number[] } {
  const chunks = chunksOf(file);
  expect(chunks.slice(0, 4).map(({ type }) => type)).toEqual(["IHDR", "acTL", "PLTE", "tRNS"]);
  expect(chunks.at(-1)?.type).toBe("IEND");
  const [header, control] = chunks.map(({ data }) => data) as [Buffer, Buffer];
  const [frames, delays]: [Buffer[], number[]] = [[], []];
  let sequence = 0;
  for (const { type, data } of chunks.slice(4, -1)) {
    if (type === "fcTL") {
      expect(data.readUInt32BE(0)).toBe(sequence++);
      expect(data.subarray(4, 12)).toEqual(header.subarray(0, 8));
      // No offset, and nothing of the frame before is left.
      expect([...data.subarray(12, 20), ...data.subarray(24)]).toEqual(Array.from({ length: 10 }, () => 0));
      delays.push((1000 * data.readUInt16BE(20)) / data.readUInt16BE(22));
    } else if (frames.length === 0) {
      expect(type).toBe("IDAT");
      frames.push(inflateSync(data));
    } else {
      expect(type).toBe("fdAT");
      expect(data.readUInt32BE(0)).toBe(sequence++);
      frames.push(inflateSync(data.subarray(4)));
    }
  }
  // The number of frames; 0 repetitions are infinitely many.
  expect([control.readUInt32BE(0), control.readUInt32BE(4)]).toEqual([frames.length, 0]);
  expect(delays).toHaveLength(frames.length);
  return { frames, delays };
}

describe("AnimatedPng", () => {
  const xp = arrays(queue);
  const frame = (shift: number, width = 3): Promise<Uint8Array> =>
    xp.toPng(
      xp
        .arange(2 * width, { dtype: "float32" })
        .add(shift)
        .reshape([2, width]),
      { min: 0, max: 20 },
    );
  const rowsOf = (png: Uint8Array): Buffer =>
    inflateSync(Buffer.concat(chunksOf(Buffer.from(png)).flatMap(({ type, data }) => (type === "IDAT" ? [data] : []))));

  test("writes a complete file after each frame", async () => {
    const path = join(folder, "counted.png");
    const pngs = [await frame(0), await frame(4), await frame(9)];
    await using animation = await AnimatedPng.create(path, 40);
    for (let count = 1; count <= pngs.length; count++) {
      await animation.append(pngs[count - 1] as Uint8Array);
      const { frames, delays } = framesOf(await readFile(path));
      expect(frames).toEqual(pngs.slice(0, count).map(rowsOf));
      expect(delays).toEqual(Array.from({ length: count }, () => 40));
      expect(animation.frames).toBe(count);
    }
  });

  test("rejects a frame of another size or with other colors, and keeps those before", async () => {
    const path = join(folder, "rejected.png");
    await using animation = await AnimatedPng.create(path, 40);
    await animation.append(await frame(0));
    await expect(animation.append(await frame(0, 4))).rejects.toThrow("png");
    const gray = await xp.toPng(xp.zeros([2, 3]), { min: 0, max: 20, colormap: "gray" });
    await expect(animation.append(gray)).rejects.toThrow("png");
    await expect(animation.append(Uint8Array.of(1, 2, 3))).rejects.toThrow("png");
    await animation.append(await frame(1));
    expect(framesOf(await readFile(path)).frames).toHaveLength(2);
  });
});

describe("the program", () => {
  const main = fileURLToPath(new URL("dist/main.js", example));
  const run = (...args: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [main, ...args], { encoding: "utf8" });

  test("prints its checks, and writes pictures and an animation", { tags: "full" }, async () => {
    const out = join(folder, "pictures");
    const animated = join(folder, "animations", "wake.png");
    const { status, stdout } = run("--cells", "8", "--steps", "140", "--out", out, "--animate", animated);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^vortices: the viscosity is within 0.\d % of its value, the mass within \de[+-]\d+$/m);
    expect(stdout).toMatch(/^a box with a moving lid: within [01].\d % of Ghia, Ghia and Shin \(1982\)$/m);
    expect(stdout).toMatch(/^4,096 cells, 140 steps: \d+ million cell updates per second$/m);
    const files = await readdir(out);
    // Every 18 steps, and at the end.
    expect(files.sort()).toEqual(
      ["018", "036", "054", "072", "090", "108", "126", "140"].map((step) => `vorticity-000${step}.png`),
    );
    expect(stdout).toContain(`wrote ${files.join(", ")} to ${out}`);
    // Every four steps.
    expect(stdout).toContain(`wrote 35 frames to ${animated}`);
    const { frames } = framesOf(await readFile(animated));
    expect(frames).toHaveLength(35);
    expect(new Set(frames.map(String)).size).toBe(35);
  });

  test.each([
    ["--cells 7", "--cells must be an even number, received 7\n"],
    ["--steps 0", "--steps must be an even number, received 0\n"],
    ["--precision float64", "--precision must be float32 or float16, received float64\n"],
    ["--ranks 9 --cells 8", "--ranks must be an integer from 1 to 8, received 9\n"],
  ])("rejects %s with a one-line message", { tags: "ci" }, (args, stderr) => {
    expect(run(...args.split(" "))).toMatchObject({ status: 2, stdout: "", stderr });
  });

  // packages/mpi/test/lattice-boltzmann.test.ts runs it on ranks.
  test("starts ranks with its options, or says that mpirun is missing", { tags: "ci" }, async () => {
    const programs = join(folder, "programs");
    await mkdir(programs);
    const start = (): ReturnType<typeof run> =>
      spawnSync(process.execPath, [main, "--ranks", "3", "--cells", "8"], {
        encoding: "utf8",
        env: { ...process.env, PATH: programs },
      });
    expect(start()).toMatchObject({ status: 1, stdout: "", stderr: expect.stringMatching(/^mpirun was not found\./) });
    await writeFile(join(programs, "mpirun"), '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 7\n', { mode: 0o755 });
    const command = ["-n", "3", process.execPath, main, "--ranks", "3", "--cells", "8", "--mpi", ""];
    expect(start()).toMatchObject({ status: 7, stdout: command.join("\n"), stderr: "" });
  });

  test("made the animation that its README shows", async () => {
    expect(framesOf(await readFile(new URL("wake.png", example))).frames).toHaveLength(60);
  });
});
