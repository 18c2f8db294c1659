// From which number are the most steps to 1? Several devices look, each at as many numbers as it is fast.
import { Context, type Device, getPlatforms } from "@cl/core";

import { collatzOn } from "./collatz.js";
import { shareOut } from "./share-out.js";
import { teamOf } from "./team.js";

const [total, grain] = [2 ** 21, 2 ** 14];
// Those that CL_DEVICE names, else all that there are.
const all = getPlatforms().flatMap((platform) => platform.devices.filter((device) => device.compilerAvailable));
const devices = (process.env["CL_DEVICE"] ?? "") === "" && all.length > 1 ? all : Context.create().devices;
const { members, whole, about } = teamOf(devices as [Device, ...Device[]]);
console.log(about);

const machines = await Promise.all(members.map((device) => collatzOn(device, total, grain)));
const inSeconds = (list: readonly number[]): string => list.map((one) => `${one.toFixed(2)} s`).join(" and ");
const list = (values: readonly unknown[]): string => values.join(" and ");

// One after the other, each does all of it.
const alone: Uint32Array[] = [];
const times: number[] = [];
for (const machine of machines) {
  const steps = new Uint32Array(total);
  times.push(await machine.run(steps, 0, total));
  alone.push(steps);
}
console.log(`each alone takes ${inSeconds(times)}`);

const together = new Uint32Array(total);
const started = performance.now();
const shares = await shareOut(
  total,
  grain,
  machines.map((machine) => (first: number, count: number) => machine.run(together, first, count)),
);
const seconds = (performance.now() - started) / 1000;
const gain = Math.min(...times) / seconds;
console.log(`together they take ${inSeconds([seconds])}: ${gain.toFixed(2)} times as fast as the fastest one alone`);
const percents = shares.map(({ items }) => `${Math.round((100 * items) / total)} %`);
console.log(`they did ${list(percents)} of the numbers, in ${list(shares.map(({ blocks }) => blocks))} blocks`);
if (whole !== undefined) {
  // Its parts have no more units than it has: whoever has one device uses it as it is.
  const undivided = await (await collatzOn(whole, total, grain)).run(new Uint32Array(total), 0, total);
  console.log(`the one device as it is takes ${inSeconds([undivided])}`);
}

const different = alone.some((steps) => steps.some((value, i) => value !== together[i]));
console.log(different ? "the steps differ!" : "the steps are the very same as those that each found alone");
const most = together.reduce((a, b) => Math.max(a, b), 0);
console.log(`up to ${total}, the most steps are those of ${together.indexOf(most) + 1}: ${most}`);
