/**
 * Unknown options, such as misspelled ones, are rejected by functions that are not in the table of valid calls: those
 * with predicates, kernels and files.
 */
import {
  Arrays,
  arrays,
  DeviceArray,
  ElementwiseKernel,
  fuse,
  ListOfListsBuilder,
  RadixSort,
  RecordArray,
  ReductionKernel,
  ScanKernel,
} from "@cl/array";
import { expect, test } from "vitest";
import { outOfRange } from "@cl/testing/error-like";

import { queue, xp } from "../support/device.js";
import { placeOfOptions } from "./place-of-options.js";
import { apart } from "./right-calls.js";

const line = xp.arange(6, { dtype: "float32" });
const mask = line.greater(2);
const records = xp.records("float2", [3]);
const sum = { dtype: "float32", reduce: "a + b", identity: "0" } as const;
const add = new ElementwiseKernel("float a, float *z", "z[i] += a");
const total = new ReductionKernel("const float *x", { ...sum, map: "x[i]" });
const scan = new ScanKernel("const float *x, float *z", {
  dtype: "float32",
  scan: "a + b",
  identity: "0",
  input: "x[i]",
  output: "z[i] = item",
});
const lists = new ListOfListsBuilder("const float *x", { l: "int32" }, "APPEND_l(i);");

type Call = (options: never) => unknown;

const ofArrays: Readonly<Record<string, Call>> = {
  meshgrid: (options) => xp.meshgrid([line], options),
  indices: (options) => xp.indices([2], options),
  fromFunction: (options) => xp.fromFunction((i) => i as never, [2], options),
  logspace: (options) => xp.logspace(0, 1, 3, options),
  geomspace: (options) => xp.geomspace(1, 2, 3, options),
  asArray: (options) => xp.asArray(xp.zeros([4]).operand().storage.memory, options),
  extract: (options) => xp.extract(mask, line, options),
  multiTake: (options) => xp.multiTake([line], [0], options),
  multiPut: (options) => xp.multiPut([line], [0, 1, 2, 3, 4, 5], { ...(options as object), shape: [6] }),
  multiTakePut: (options) => xp.multiTakePut([line], [0], [0], { ...(options as object), shape: [6] }),
  check: (options) => xp.check(options),
  asRecords: (options) => xp.asRecords(xp.zeros([4]).operand().storage.memory, "float2", options),
  copyIf: (options) => xp.copyIf(line, "x > 0", options),
  copyIfSync: (options) => xp.copyIfSync(line, "x > 0", options),
  removeIf: (options) => xp.removeIf(line, "x > 0", options),
  removeIfSync: (options) => xp.removeIfSync(line, "x > 0", options),
  partitionIf: (options) => xp.partitionIf(line, "x > 0", options),
  partitionIfSync: (options) => xp.partitionIfSync(line, "x > 0", options),
  uniqueConsecutive: (options) => xp.uniqueConsecutive(line, options),
  uniqueConsecutiveSync: (options) => xp.uniqueConsecutiveSync(line, options),
  save: (options) => xp.save("a.npy", line, options),
  load: (options) => xp.load("a.npy", options),
  loadRecords: (options) => xp.loadRecords("a.npy", options),
  saveNpz: (options) => xp.saveNpz("a.npz", { line }, options),
  loadNpz: (options) => xp.loadNpz("a.npz", options),
  openNpy: (options) => xp.openNpy("a.npy", options),
  createNpy: (options) => xp.createNpy("a.npy", options),
  loadtxt: (options) => xp.loadtxt("a.txt", options),
  savetxt: (options) => xp.savetxt("a.txt", line, options),
  savePng: (options) => xp.savePng("a.png", line.reshape([2, 3]), options),
};

const ofOneArray: Readonly<Record<string, Call>> = {
  item: (options) => line.slice(0).item(options),
  toScijs: (options) => line.toScijs(() => 0, options),
  toStdlib: (options) => line.toStdlib(Object as never, options),
  toArrow: (options) => line.toArrow(() => 0, options),
};

const ofRecords: Readonly<Record<string, Call>> = {
  data: (options) => records.data(options),
  toNested: (options) => records.toNested(options),
  item: (options) => records.slice(0).item(options),
  at: (options) => records.at([0], options),
  take: (options) => records.take([0], options),
  format: (options) => records.format(options),
};

const others: Readonly<Record<string, Call>> = {
  arrays: (options) => arrays(queue, options),
  "a fused function": (options) => fuse((x: DeviceArray<"float32">) => x.add(1))(line, options),
  at: (options) => line.at([0], options),
  "new ElementwiseKernel": (options) => new ElementwiseKernel("float *z", "z[i] = 1", options),
  "ElementwiseKernel.enqueue": (options) => add.enqueue(options, 1, line),
  "new ReductionKernel": (options) => new ReductionKernel("const float *x", { ...sum, ...(options as object) }),
  "ReductionKernel.runWith": (options) => total.runWith(options, line),
  "new ScanKernel": (options) =>
    new ScanKernel("const float *x, float *z", {
      dtype: "float32",
      scan: "a + b",
      identity: "0",
      input: "x[i]",
      output: "z[i] = item",
      ...(options as object),
    }),
  "ScanKernel.enqueue": (options) => scan.enqueue(options, line, line.copy()),
  "new ListOfListsBuilder": (options) => new ListOfListsBuilder("const float *x", { l: "int32" }, "", options),
  "ListOfListsBuilder.build": (options) => lists.build({ objects: 2, ...(options as object) }, line),
  "ListOfListsBuilder.buildSync": (options) => lists.buildSync({ objects: 2, ...(options as object) }, line),
  "new RadixSort": (options) =>
    new RadixSort("const uint *keys", { key: "keys[i]", sorts: ["keys"], dtype: "uint32", ...(options as object) }),
};

test("each function with options is in this table or among the valid calls", () => {
  for (const [{ prototype }, table, others] of [
    [Arrays, ofArrays, apart],
    [DeviceArray, ofOneArray, apart],
    [RecordArray, ofRecords, undefined],
  ] as const) {
    expect(
      methodsWithOptions(prototype).filter((name) => (others?.has(name) ?? true) && !Object.hasOwn(table, name)),
    ).toEqual([]);
  }
});

const calls = { ...ofArrays, ...ofOneArray, ...others, ...prefixed("records.", ofRecords) };
test.each(Object.entries(calls))("%s names an unknown option", async (_, call) => {
  await expect((async () => call({ noSuchOption: 1 } as never))()).rejects.toThrow(outOfRange("options"));
});

test("the error suggests the closest option name", () => {
  const unknown = (name: string): Error => outOfRange(name);
  expect(() => line.sum({ keepdims: true } as never)).toThrow(unknown("options"));
  expect(() => line.at(mask, { size: 2, dtype: "float64" } as never)).toThrow(unknown("options"));
  expect(() => xp.zeros([2], { dytpe: "float32" } as never)).toThrow(unknown("options"));
  const parameters = [{ array: "z", dtype: "float32", readOnly: true } as never];
  expect(() => new ElementwiseKernel(parameters, "")).toThrow(unknown("parameters[0]"));
});

function prefixed(prefix: string, table: Readonly<Record<string, Call>>): Readonly<Record<string, Call>> {
  return Object.fromEntries(Object.entries(table).map(([name, call]) => [`${prefix}${name}`, call]));
}

function methodsWithOptions(prototype: object): readonly string[] {
  const names: string[] = [];
  for (let at = prototype; at !== Object.prototype; at = Object.getPrototypeOf(at) as object) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value !== "function" || name === "constructor") continue;
      if (placeOfOptions(value as (...args: never[]) => unknown) >= 0) names.push(name);
    }
  }
  return names;
}
