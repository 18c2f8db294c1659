import { type DeviceBuffer, DeviceView, HostView, Image, ImageFormat, SvmAllocation } from "@cl/core";
import {
  CopyLauncher,
  ElementwiseLauncher,
  FillLauncher,
  HostLauncher,
  IterativeLauncher,
  KernelLauncher,
  ListLauncher,
} from "@cl/launcher";

import { describe } from "vitest";

import { hasSvm } from "@cl/testing/svm";
import { describeLauncher, testLaunchers } from "./support/describe-launcher.js";
import { context, ints, outOfOrder, program, queue, readNow } from "./support/device.js";
import { adding, plus } from "./support/launchers.js";

const add = program.kernel("add");
const look =
  (...buffers: readonly DeviceBuffer<Int32Array>[]) =>
  (): Promise<unknown> =>
    Promise.all(buffers.map(readNow));
/** Expects `before` without launches, and `then` after any number of launches. */
const once =
  (before: unknown, then: unknown) =>
  (launches: number): unknown =>
    launches === 0 ? before : then;

describeLauncher("a kernel launcher with parameters", () => {
  const x = ints(0, 0);
  const launcher = new KernelLauncher("add", add, { args: [x], parameters: ["a"], global: 2 });
  return { launcher, values: { a: 7 }, look: () => readNow(x), after: (n) => [7 * n, 7 * n] };
});

describeLauncher("a kernel launcher whose sizes depend on parameters", () => {
  const x = ints(0, 0, 0);
  const launcher = new KernelLauncher("add", add, { args: [x], parameters: ["a"], global: ({ a }) => Number(a) });
  return { launcher, values: { a: 2 }, look: () => readNow(x), after: (n) => [2 * n, 2 * n, 0] };
});

describeLauncher("an iterative launcher", () => {
  const x = ints(0, 0);
  const launcher = new IterativeLauncher("mark", program.kernel("mark"), {
    args: { x, i: 0 },
    parameters: ["j", "base"],
    iterate: { j: [0, 1] },
    global: 1,
  });
  return { launcher, values: { base: 4 }, look: () => readNow(x), after: once([0, 0], [4, 5]) };
});

describeLauncher("an element-wise launcher", () => {
  const x = ints(0, 1);
  const options = { signature: "int *x, int a", body: "x[i] += a", args: [x], parameters: ["a"] } as const;
  const launcher = ElementwiseLauncher.createSync("add", context, options);
  return { launcher, values: { a: 7 }, look: () => readNow(x), after: (n) => [7 * n, 1 + 7 * n] };
});

describeLauncher("a fused list", () => {
  const [x, y] = [ints(1), ints(0)];
  const sum = { signature: "int *x, int a", body: "x[i] += a", args: [x], parameters: ["a"] } as const;
  const copy = { signature: "const int *x, int *y", body: "y[i] = x[i]", args: [x, y] };
  const launcher = new ListLauncher("list").push(
    ElementwiseLauncher.createSync("add", context, sum),
    ElementwiseLauncher.createSync("out", context, copy),
  );
  launcher.fuseSync();
  return { launcher, values: { a: 3 }, look: look(x, y), after: (n) => [[1 + 3 * n], [n === 0 ? 0 : 1 + 3 * n]] };
});

describeLauncher("a resident list", () => {
  const [x, y] = [ints(1, 2, 3), ints(0, 0, 0)];
  const launcher = new ListLauncher("list").push(
    new KernelLauncher("add", add, { args: [x], parameters: ["a"], global: 3 }),
    new KernelLauncher("mixing", program.kernel("mixing"), { args: [x, y, 1], global: 3 }),
    new KernelLauncher("add more", add, { args: [x], parameters: ["a"], global: 3 }),
  );
  const [only] = launcher.residentSync();
  if (only?.resident !== true) return "work-groups of the device cannot wait for each other";
  const after = (n: number): unknown => {
    const [a, b] = [Int32Array.of(1, 2, 3), new Int32Array(3)];
    for (let k = 0; k < n; k++) {
      b.forEach((value, i) => (b[i] = value * 3 + (a[i] as number) + 3));
      a.forEach((value, i) => (a[i] = value + 6));
    }
    return [[...a], [...b]];
  };
  return { launcher, values: { a: 3 }, look: look(x, y), after };
});

describeLauncher("a list", () => {
  const [x, y] = [ints(0), ints(0)];
  const launcher = new ListLauncher("list").push(adding(x)).pushCopyDeviceToDevice("out", x, y);
  return { launcher, values: { a: 3 }, look: look(x, y), after: (n) => [[3 * n], [3 * n]] };
});

describeLauncher("a list with host steps and copies to the host", () => {
  const [x, host] = [ints(0), new Int32Array(1)];
  const seen: number[] = [];
  const launcher = new ListLauncher("list")
    .push(plus(x, 1))
    .pushCopyDeviceToHost("out", x, host)
    .push(new HostLauncher("see", ({ t }) => void seen.push(t + (host[0] as number)), { parameters: { t: "number" } }))
    .push(plus(x, 1));
  const after = (n: number): unknown => Array.from({ length: n }, (_, k) => 2 * k + 1.5);
  return { launcher, values: { t: 0.5 }, look: () => [...seen], after, onHost: true };
});

describeLauncher("a parallel list", () => {
  const [x, y] = [ints(0), ints(0)];
  const launcher = new ListLauncher("list", { order: "parallel" }).push(
    plus(x, 1),
    new ListLauncher("inside").push(plus(y, 2)),
  );
  return { launcher, look: look(x, y), after: (n) => [[n], [2 * n]] };
});

describeLauncher("a copy to a buffer", () => {
  const x = ints(0);
  const launcher = new CopyLauncher("up", { source: Int32Array.of(7), target: x });
  return { launcher, look: () => readNow(x), after: once([0], [7]) };
});

describeLauncher("a copy to the host", () => {
  const host = new Int32Array(1);
  const launcher = new CopyLauncher("down", { source: ints(7), target: host });
  return { launcher, look: () => [...host], after: once([0], [7]) };
});

describeLauncher("a copy between views", () => {
  const x = ints(0, 0, 0, 0);
  const target = new DeviceView(x, { shape: [2, 2] }).slice(":", "::-1");
  const launcher = new CopyLauncher("turn", { source: ints(1, 2, 3, 4), target });
  return { launcher, look: () => readNow(x), after: once([0, 0, 0, 0], [2, 1, 4, 3]) };
});

describeLauncher("a copy to a non-contiguous host view", () => {
  const host = new Int32Array(4);
  const target = new HostView(host, { shape: [2, 2] }).slice("::-1", "::-1").transpose();
  const launcher = new CopyLauncher("down", { source: ints(1, 2, 3, 4), target });
  return { launcher, look: () => [...host], after: once([0, 0, 0, 0], [4, 2, 3, 1]), onHost: true };
});

describeLauncher("a copy from a non-contiguous host view", () => {
  const x = ints(0, 0, 0, 0);
  const source = new HostView(Int32Array.of(1, 2, 3, 4), { shape: [2, 2] }).slice("::-1", "::-1").transpose();
  const launcher = new CopyLauncher("up", { source, target: x });
  return { launcher, look: () => readNow(x), after: once([0, 0, 0, 0], [4, 2, 3, 1]), onHost: true };
});

describeLauncher("a fill of a view", () => {
  const x = ints(0, 0, 0, 0);
  const target = new DeviceView(x, { shape: [2, 2] }).slice(":", 1);
  const launcher = new FillLauncher("column", { target, pattern: 7 });
  return { launcher, look: () => readNow(x), after: once([0, 0, 0, 0], [0, 7, 0, 7]) };
});

describeLauncher("a copy on the host", () => {
  const host = new Int32Array(1);
  const launcher = new CopyLauncher("host", { source: Int32Array.of(7), target: host });
  return { launcher, look: () => [...host], after: once([0], [7]), onHost: true, anywhere: true };
});

describeLauncher("a fill", () => {
  const x = ints(0, 0);
  const launcher = new FillLauncher("fill", { target: x, pattern: 7, offset: 4 });
  return { launcher, look: () => readNow(x), after: once([0, 0], [0, 7]) };
});

describeLauncher("a host step", () => {
  const seen: number[] = [];
  const run = async ({ t }: { t: number }): Promise<void> => {
    await Promise.resolve();
    seen.push(t);
  };
  const launcher = new HostLauncher("host", run, { parameters: { t: "number" } });
  const after = (n: number): unknown => Array.from({ length: n }, () => 2);
  return { launcher, values: { t: 2 }, look: () => [...seen], after, onHost: true, anywhere: true };
});

describeLauncher("a list in graph order", () => {
  const [x, y, z] = [ints(1), ints(0), ints(0)];
  const launcher = new ListLauncher("list", { order: "graph" }).push(
    new CopyLauncher("left", { source: x, target: y }),
    new CopyLauncher("right", { source: x, target: z }),
    adding(y),
    new CopyLauncher("back", { source: y, target: x }),
  );
  const after = (n: number): unknown => [[1 + 2 * n], [n === 0 ? 0 : 1 + 2 * n], [n === 0 ? 0 : 2 * n - 1]];
  return { launcher, values: { a: 2 }, look: look(x, y, z), after };
});

const device = context.devices.at(-1);

describeLauncher("a list over shared virtual memory", () => {
  if (!hasSvm("COARSE_GRAIN_BUFFER")) return "the device has no shared virtual memory";
  const svm = new SvmAllocation(context, 8);
  const x = ints(0, 0);
  const launcher = new ListLauncher("list").push(
    new FillLauncher("fill", { target: svm, pattern: Int32Array.of(3) }),
    new KernelLauncher("add", add, { args: [svm, 4], global: 2 }),
    new CopyLauncher("out", { source: svm, target: x }),
  );
  return { launcher, look: () => readNow(x), after: once([0, 0], [7, 7]) };
});

describeLauncher("a list that fills and copies an image", () => {
  if (device?.imageSupport !== true) return "the device has no images";
  const image = new Image(context, { format: new ImageFormat("RGBA", "UNSIGNED_INT32"), shape: [1, 1] });
  const x = ints(0, 0, 0, 0);
  const launcher = new ListLauncher("list").push(
    new FillLauncher("fill", { target: image, pattern: [1, 2, 3, 4] }),
    new CopyLauncher("out", { source: image, target: x }),
  );
  return { launcher, look: () => readNow(x), after: once([0, 0, 0, 0], [1, 2, 3, 4]) };
});

describe("on an in-order queue,", () => {
  testLaunchers(queue);
});

describe("on an out-of-order queue,", { tags: "ci" }, () => {
  testLaunchers(outOfOrder);
});
