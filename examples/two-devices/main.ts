// Finds the number with the most Collatz steps. Devices share the work according to their speed.
import { Context, type Device, getPlatforms } from "@cl/core";

import { collatzOn } from "./collatz.js";
import { shareOut } from "./share-out.js";
import { teamOf } from "./team.js";

const [total, grain] = [2 ** 21, 2 ** 14];
// The devices that CL_DEVICE selects, or all devices.
const all = getPlatforms().flatMap((platform) => platform.devices.filter((device) => device.compilerAvailable));
const devices = (process.env["CL_DEVICE"] ?? "") === "" && all.length > 1 ? all : Context.create().devices;
const { members, whole, description } = teamOf(devices as [Device, ...Device[]]);
console.log(description);

const machines = await Promise.all(members.map((device) => collatzOn(device, total, grain)));
const inSeconds = (list: readonly number[]): string => list.map((seconds) => `${seconds.toFixed(2)} s`).join(" and ");
const list = (values: readonly unknown[]): string => values.join(" and ");

// Each device computes everything, one after the other.
const alone: Uint32Array[] = [];
const times: number[] = [];
for (const machine of machines) {
  const steps = new Uint32Array(total);
  times.push(await machine.run(steps, 0, total));
  alone.push(steps);
}
console.log(`each alone: ${inSeconds(times)}`);

const together = new Uint32Array(total);
const started = performance.now();
const shares = await shareOut(
  total,
  grain,
  machines.map((machine) => (first: number, count: number) => machine.run(together, first, count)),
);
const seconds = (performance.now() - started) / 1000;
const gain = Math.min(...times) / seconds;
console.log(`together: ${inSeconds([seconds])}, ${gain.toFixed(2)} times as fast as the fastest alone`);
const percents = shares.map(({ items }) => `${Math.round((100 * items) / total)} %`);
console.log(`shares: ${list(percents)} of the numbers, in ${list(shares.map(({ blocks }) => blocks))} blocks`);
if (whole !== undefined) {
  // The sub-devices have no more compute units than the whole device, so do not partition it in a real program.
  const undivided = await (await collatzOn(whole, total, grain)).run(new Uint32Array(total), 0, total);
  console.log(`the undivided device alone: ${inSeconds([undivided])}`);
}

const different = alone.some((steps) => steps.some((value, i) => value !== together[i]));
console.log(different ? "the results differ!" : "all results are equal");
const most = together.reduce((a, b) => Math.max(a, b), 0);
console.log(`most steps up to ${total}: ${most}, for ${together.indexOf(most) + 1}`);
