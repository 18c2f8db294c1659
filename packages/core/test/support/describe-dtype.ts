/** Tests that every element type must pass: on the host and on the device, with values inside and outside its range. */
import { describe, expect, test } from "vitest";
import { DeviceBuffer, type DType, type DTypeValue, ElementArray, Program, TypedValue } from "@cl/core";

import { dtypeSource } from "./dtype-kernels.js";
import { samplesOf } from "./dtype-values.js";
import { context, device, queue } from "./kernels.js";
import { needs, type Run } from "@cl/base/testing";

const extensions: Readonly<Record<string, string>> = { float64: "cl_khr_fp64", float16: "cl_khr_fp16" };
/** The types with tests, and their program, by scalar type. */
const groups = new Map<string, { readonly types: DType[]; program?: Promise<Program> }>();

/** Declares the tests of one type. */
export function describeDtype(type: DType): void {
  const samples = samplesOf(type);
  const given = samples.right.map(([value]) => value);
  const back = samples.right.map(([, value]) => value);
  const extension = extensions[type.base.name];
  const missing = extension !== undefined && !device.hasExtension(extension) ? extension : undefined;
  const needsType = (run: Run): void =>
    needs(run, missing === undefined, `'${device.name}' has no ${missing}, so kernels cannot use ${type.cName}`);
  const group = groups.get(type.base.name) ?? { types: [] };
  group.types.push(type);
  groups.set(type.base.name, group);

  describe(`elements of type ${type.name}`, () => {
    test("are read from host memory as they were stored, at any alignment", () => {
      const view = new DataView(new ArrayBuffer(type.itemSize + 7));
      for (const [i, [value, expected]] of samples.right.entries()) {
        type.set(view, i % 8, value);
        expect(type.get(view, i % 8)).toEqual(expected);
      }
    });

    test("do not overwrite adjacent elements", () => {
      const array = new ElementArray(type, new Uint8Array(3 * type.itemSize).fill(0xa5));
      for (const [value] of samples.right) array.set(1, value);
      const outside = [...array.bytes.subarray(0, type.itemSize), ...array.bytes.subarray(2 * type.itemSize)];
      expect(outside.every((byte) => byte === 0xa5)).toBe(true);
    });

    test("outside the range or of another type throw, and memory stays unchanged", () => {
      const view = new DataView(new Uint8Array(type.itemSize).fill(0xa5).buffer);
      for (const [value, error] of samples.wrong) {
        expect(() => type.set(view, 0, value as DTypeValue)).toThrow(error);
        expect(() => new TypedValue(type, value as DTypeValue)).toThrow(error);
      }
      expect(new Uint8Array(view.buffer).every((byte) => byte === 0xa5)).toBe(true);
    });

    test("have the same layout in the typed array", () => {
      const array = ElementArray.from(type, given);
      expect(array.array).toBeInstanceOf(type.arrayType);
      expect(array.array).toHaveLength(given.length * type.componentCount);
      expect([...array]).toEqual(back);
    });

    test("can be copied to a buffer, through a kernel and back", async (run) => {
      needsType(run);
      const kernel = (await programFor(type)).kernel(`copy_${type.name}`);
      const from = DeviceBuffer.from(context, ElementArray.from(type, given).array);
      const copied = new ElementArray(type, given.length);
      const to = DeviceBuffer.from(context, copied.array);
      kernel.launch(queue, { global: given.length }, from, to);
      await queue.read(to, { into: copied.array });
      expect([...copied]).toEqual(back);
    });

    test("can be passed by value", async (run) => {
      needsType(run);
      const program = await programFor(type);
      const to = new DeviceBuffer(context, type.itemSize);
      const stored = (value: unknown): DTypeValue => {
        program.kernel(`store_${type.name}`).launch(queue, { global: 1 }, value as number, to);
        return type.get(new DataView(queue.readSync(to, Uint8Array).buffer), 0);
      };
      for (const [value, expected] of samples.right) expect(stored(new TypedValue(type, value))).toEqual(expected);
      const declared = program.kernel(`store_${type.name}`);
      declared.argTypes = [type, null];
      for (const [value, expected] of samples.right) expect(stored(value)).toEqual(expected);
      for (const [value, error] of samples.wrong) expect(() => stored(value)).toThrow(error);
      const other = type.name === "float32" ? "int32" : "float32";
      for (const types of [
        [type, null],
        [null, null],
      ]) {
        declared.argTypes = types;
        expect(() => stored(new TypedValue(other, 1))).toThrow(
          `must be of type ${type.cName}, received a value of type ${other}`,
        );
      }
    });

    if (type.kind !== "vector") return;

    test("have the same components in kernels", async (run) => {
      needsType(run);
      const program = await programFor(type);
      const vectors = ElementArray.from(type, given);
      const components = ElementArray.from(
        type.base,
        given.flatMap((vector) => vector as readonly DTypeValue[]),
      );
      const vectorBuffer = DeviceBuffer.from(context, vectors.array);
      const componentBuffer = new DeviceBuffer(context, components.bytes.length);
      program.kernel(`unpack_${type.name}`).launch(queue, { global: given.length }, vectorBuffer, componentBuffer);
      const unpacked = new ElementArray(type.base, await queue.read(componentBuffer, Uint8Array));
      expect([...unpacked]).toEqual(back.flat());
      const built = new DeviceBuffer(context, vectors.bytes.length);
      program.kernel(`pack_${type.name}`).launch(queue, { global: given.length }, componentBuffer, built);
      expect([...new ElementArray(type, await queue.read(built, Uint8Array))]).toEqual(back);
    });
  });
}

/** Returns the program of all tested types with the same scalar type. */
function programFor({ base }: DType): Promise<Program> {
  const group = groups.get(base.name) as { types: DType[]; program?: Promise<Program> };
  return (group.program ??= new Program(context, dtypeSource(group.types, extensions[base.name])).build());
}
