// The port of a PyOpenCL program: a vibrating drum, with and without damping.
import { patched, struck, vibrate } from "./membrane.js";

for (const damping of [0, 0.002]) {
  const result = await vibrate(struck(96), patched(96), { steps: 600, damping });
  console.log(`damping ${damping}: energy ${result.energies.map((energy) => energy.toFixed(2)).join(" ")}`);
  console.log(`the skin is between ${Math.min(...result.u).toFixed(2)} and ${Math.max(...result.u).toFixed(2)}`);
  // To stderr, because the time differs from run to run.
  console.error(`leapfrog: ${(result.nanoseconds / 600 / 1000).toFixed(1)} µs per step on the device`);
}
