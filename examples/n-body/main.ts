// Two discs of stars pass each other. Draws their paths and checks that energy and momentum are conserved.
import { mkdir } from "node:fs/promises";

import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";

import { measure, nBody } from "./n-body.js";

const queue = new CommandQueue(Context.create());
const [stars, steps, dt, softening] = [256, 1000, 0.006, 0.05];

/** Creates a heavy body with light ones in orbit around it, distributed like sunflower seeds. */
function disc(center: readonly [number, number], speed: readonly [number, number]): [number[], number[]] {
  const [positions, velocities] = [
    [...center, 0, 1],
    [...speed, 0, 0],
  ];
  for (let star = 1; star < stars; star++) {
    const [r, angle] = [Math.sqrt(0.02 + star / stars), star * Math.PI * (3 - Math.sqrt(5))];
    const orbitalSpeed = r / (r ** 2 + softening ** 2) ** 0.75; // for a circular orbit
    positions.push(center[0] + r * Math.cos(angle), center[1] + r * Math.sin(angle), 0, 1e-5);
    velocities.push(speed[0] - orbitalSpeed * Math.sin(angle), speed[1] + orbitalSpeed * Math.cos(angle), 0, 0);
  }
  return [positions, velocities];
}

const discs = [disc([-1.7, -0.8], [0.5, 0]), disc([1.7, 0.8], [-0.5, 0])];
const start = {
  positions: Float32Array.from(discs.flatMap(([positions]) => positions)),
  velocities: Float32Array.from(discs.flatMap(([, velocities]) => velocities)),
};

// Number of times that a body was in each pixel.
const [width, height, scale] = [640, 420, 90];
const paths = new Float32Array(width * height);
function countVisits(positions: Float32Array): void {
  for (let i = 0; i < positions.length; i += 4) {
    const x = Math.round(width / 2 + scale * (positions[i] as number));
    const y = Math.round(height / 2 - scale * (positions[i + 1] as number));
    if (x >= 0 && x < width && y >= 0 && y < height) paths[y * width + x] = (paths[y * width + x] as number) + 1;
  }
}

const end = await nBody(queue, start, { steps, dt, softening, tile: 64, onStep: countVisits });
const [before, after] = [start, end].map((bodies) => measure(bodies, softening)) as [
  ReturnType<typeof measure>,
  ReturnType<typeof measure>,
];
const change = Math.abs(after.energy / before.energy - 1);
console.log(`${2 * stars} bodies, ${steps} steps: energy ${change < 0.001 ? "conserved" : `changed by ${change}`}`);
const drift = Math.hypot(...after.momentum.map((value, axis) => value - (before.momentum[axis] as number)));
console.log(`momentum ${drift < 1e-5 ? "conserved" : `changed by ${drift}`}`);

const xp = arrays(queue);
await mkdir("build", { recursive: true });
const picture = xp.fromHost(paths).reshape([height, width]);
await xp.savePng("build/n-body.png", picture.log1p(), { colormap: "inferno", max: 2.5 });
console.log("wrote the paths to build/n-body.png");
