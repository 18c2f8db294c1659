import { beforeEach, describe, expect, test } from "vitest";
import { Program, SvmArray, SvmMemFlags } from "@cl/core";

import { hasSvm, needsCoarse, needsFine } from "@cl/testing/svm";
import { needs } from "@cl/base/testing";
import { disposed } from "@cl/testing/core-errors";
import { outOfRange, wrongState } from "@cl/testing/error-like";
import { context, queue } from "./support/kernels.js";

beforeEach((run) => needsCoarse(run));

describe("an SvmArray", () => {
  test("has a shape, elements and strides", () => {
    using rows = new SvmArray(context, [2, 3, 4], Float32Array);
    expect(rows).toBeInstanceOf(SvmArray);
    expect(rows.shape).toEqual([2, 3, 4]);
    expect(rows.strides).toEqual([48, 16, 4]);
    expect(rows).toMatchObject({ order: "C", length: 24, size: 96 });
    expect(rows.type).toBe(Float32Array);
    expect(rows.kind).toBe("coarse");
    using columns = new SvmArray(context, [2, 3, 4], Int16Array, { order: "F" });
    expect(columns.strides).toEqual([2, 4, 12]);
    using line = new SvmArray(context, 5, Float64Array, { label: "line" });
    expect(line.shape).toEqual([5]);
    expect(String(line)).toBe('SvmArray "line" { [5] Float64Array × 5, 40 bytes, coarse }');
    using none = new SvmArray(context, [0, 3], Float32Array);
    expect(none.size).toBe(0);
    using one = new SvmArray(context, [], Float32Array);
    expect(one.length).toBe(1);
  });

  test("has the kind given by its flags", (run) => {
    needs(run, hasSvm("FINE_GRAIN_BUFFER", "ATOMICS"), "the device does not support fine-grained SVM with atomics");
    const flags = SvmMemFlags.READ_WRITE | SvmMemFlags.SVM_FINE_GRAIN_BUFFER | SvmMemFlags.SVM_ATOMICS;
    using array = new SvmArray(context, [2], Int32Array, { flags });
    expect(array.kind).toBe("fine-buffer");
    expect(array.flags).toBe(flags);
  });

  test("has its elements in data if fine-grained and not released", (run) => {
    needsFine(run);
    const array = new SvmArray(context, [2, 2], Float32Array, { kind: "fine-buffer" });
    array.data.set([1, 2, 3, 4]);
    expect(array.data).toBe(array.data);
    const source = "__kernel void twice(__global float *x) { x[get_global_id(0)] *= 2; }";
    const twice = new Program(context, source).buildSync().kernel("twice");
    twice.launchAndFinishSync(queue, { global: array.length }, array);
    const { data } = array;
    expect([...data]).toEqual([2, 4, 6, 8]);
    array.release();
    expect(data.length).toBe(0);
    expect(() => array.data).toThrow(disposed());
  });

  test("has its elements in maps if coarse-grained", () => {
    using array = new SvmArray(context, 3, Int32Array);
    expect(() => array.data).toThrow(wrongState());
    using mapped = array.mapReadWriteSync(queue);
    mapped.data.set([1, 2, 3]);
    expect(mapped.data).toBeInstanceOf(Int32Array);
  });

  test("can be created like another one, or like a typed array", (run) => {
    using model = new SvmArray(context, [2, 3], Int16Array, { order: "F" });
    using like = SvmArray.like(context, model);
    expect([like.shape, like.order, like.type]).toEqual([[2, 3], "F", Int16Array]);
    using turned = SvmArray.like(context, model, { order: "C", flags: SvmMemFlags.READ_ONLY });
    expect([turned.order, turned.flags]).toEqual(["C", SvmMemFlags.READ_ONLY]);
    using bytes = SvmArray.like(context, new Uint8ClampedArray(4));
    expect([bytes.shape, bytes.type]).toEqual([[4], Uint8ClampedArray]);
    needsFine(run);
    using fine = SvmArray.like(context, model, { kind: "fine-buffer" });
    expect([fine.kind, fine.shape]).toEqual(["fine-buffer", [2, 3]]);
  });

  test("rejects too many bytes", () => {
    expect(() => new SvmArray(context, [2 ** 40, 2 ** 40], Float32Array)).toThrow(outOfRange("shape"));
  });
});
