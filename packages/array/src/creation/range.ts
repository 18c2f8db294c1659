/** Ranges `start, start + step …`, computed on the device in the dtype of the elements, as NumPy does. */
import type { ArrayRef, ArraySource } from "../storage/array-ref.js";
import { outOfRange, wrongType } from "@cl/base";
import { rangeSource, rangeType } from "../kernels/sequence-source.js";
import { runOver } from "../kernels/run-over.js";
import { filled } from "../storage/filled.js";
import { type DTypeName, type TypedDType, typeNamed } from "../types/dtype-name.js";
import { holds, kindOf } from "../types/promote.js";

/** An array of one axis. The step is the difference of the first two elements, after they were converted. */
export function range<D extends DTypeName>(
  xp: ArraySource,
  start: number,
  count: number,
  step: number,
  dtype: TypedDType<D>,
): ArrayRef<D> {
  if (!Number.isSafeInteger(count)) throw outOfRange(`a range cannot have ${count} elements`);
  const name: DTypeName = dtype.name;
  if (name === "bool" && count > 2) {
    throw wrongType(`a range of booleans cannot have more than 2 elements, received ${count}`);
  }
  checkEnds(name, start, count, step);
  const type = rangeType(name);
  const device = xp.queue.device;
  // No type for kernels, but one that can be stored.
  if (type === "float64" && device.doubleFpConfig === 0) return onHost(xp, start, count, step, dtype);
  const result = xp.empty([count], { dtype });
  if (count === 0) return result;
  const args = argumentsOf(name, start, step);
  const short = count < 2 ** 31 - 4096;
  return filled(result, () => {
    runOver(xp.queue, result.operand().storage, count, {
      key: `range ${name} ${short}`,
      name: "sequence",
      source: () => rangeSource(name, short),
      short,
      args,
    });
  });
}

/** NumPy takes any, and what does not fit becomes something else. */
function checkEnds(name: DTypeName, start: number, count: number, step: number): void {
  if (kindOf(name) > 2 || count === 0) return;
  const [first, second] = [BigInt(Math.trunc(start)), BigInt(Math.trunc(start + step))];
  const last = first + (second - first) * BigInt(count - 1);
  if (!holds(name, first) || !holds(name, last)) {
    throw outOfRange(`a range of ${name} cannot hold all elements from ${first} to ${last}`);
  }
}

/** The first two elements, and how far they are apart. */
function argumentsOf(name: DTypeName, start: number, step: number): readonly (number | bigint)[] {
  const type = rangeType(name);
  if (kindOf(name) < 3) {
    const bits = type === "uint32" ? 32 : 64;
    const [first, second] = [BigInt(Math.trunc(start)), BigInt(Math.trunc(start + step))];
    const list = [first, second, second - first].map((value) => BigInt.asUintN(bits, value));
    return bits === 32 ? list.map(Number) : list;
  }
  if (type === "float64") return [start, start + step, start + step - start];
  const [first, second] = [start, start + step].map(name === "float16" ? roundedToHalf : Math.fround);
  return [first as number, second as number, Math.fround((second as number) - (first as number))];
}

function roundedToHalf(value: number): number {
  if (Math.abs(value) >= 65_520) return Math.sign(value) * Infinity;
  const [type, view] = [typeNamed("float16"), new DataView(new ArrayBuffer(2))];
  type.set(view, 0, value);
  return type.get(view, 0) as number;
}

function onHost<D extends DTypeName>(
  xp: ArraySource,
  start: number,
  count: number,
  step: number,
  dtype: TypedDType<D>,
): ArrayRef<D> {
  const parts = dtype.componentCount;
  const values = new Float64Array(count * parts);
  const difference = start + step - start;
  for (let i = 0; i < count; i++) values[i * parts] = i === 1 ? start + step : start + i * difference;
  return xp.fromHost(values, { dtype });
}
