/** Special functions compared with SciPy: inputs, tolerances and errors. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { type DeviceArray, fuse } from "@cl/array";

import { randomNumbers } from "./numbers.js";
import { xp } from "./device.js";
import { python } from "@cl/testing/python";

type Call = (...operands: readonly DeviceArray[]) => DeviceArray;

/** One of our functions, and the expected values. */
export interface SpecialCase {
  readonly name: string;
  readonly ours: Call;
  /** SciPy's expression of x, y and z. */
  readonly theirs: string;
  /** Scale of the errors if larger than the value: the amplitude of oscillations, because roots are not hit exactly. */
  readonly scale?: string;
  /** The largest relative errors in float64 and float32. @defaultValue [1e-12, 5e-6] */
  readonly errors?: readonly [double: number, float: number];
}

/** Functions of the same numbers, which one kernel computes. */
export interface SpecialGroup {
  readonly name: string;
  readonly complex?: boolean;
  /** The numbers of each operand; complex ones have two for each. */
  readonly inputs: (next: () => number) => readonly number[][];
  readonly cases: readonly SpecialCase[];
}

/** The largest error of a function, and its position. */
export interface Worst {
  readonly name: string;
  readonly error: number;
  readonly limit: number;
  readonly at: string;
}

export const hasSciPy: boolean = spawnSync(python, ["-c", "import scipy.special"]).status === 0;

const script = fileURLToPath(new URL("scipy_special.py", import.meta.url));

export async function worstOf(group: SpecialGroup, type: "float32" | "float64", seed: number): Promise<Worst[]> {
  const complex = group.complex === true;
  const make = type === "float32" ? Float32Array : Float64Array;
  const inputs = group.inputs(randomNumbers(seed)).map((list) => make.from(list));
  const dtype = complex ? (type === "float32" ? "complex64" : "complex128") : type;
  const arrays = inputs.map((list) => xp.fromHost(list, { dtype }));
  const fused = fuse((...operands: DeviceArray[]) => group.cases.map(({ ours }) => ours(...operands)));
  const results = fused(...arrays);
  const right = answers(group, inputs);
  const width = complex ? 2 : 1;
  const worst: Worst[] = [];
  for (const [k, { name, errors: [double, float] = [1e-12, 5e-6] }] of group.cases.entries()) {
    const given = (await (results[k] as DeviceArray).data()) as Float64Array;
    const { values, scale } = right[k] as { readonly values: Float64Array; readonly scale: Float64Array };
    // Complex functions may be real for real results, and the other way round.
    const parts = values.length / scale.length;
    let error = 0;
    let place = 0;
    for (let i = 0; i < scale.length; i++) {
      const one = errorOf(given, values, parts, i, scale[i] as number, type);
      if (!(one <= error)) [error, place] = [one, i];
    }
    const at = inputs.map((list) => list.slice(place * width, (place + 1) * width).join("+i")).join(", ");
    const inputTexts = Array.from(
      { length: parts },
      (_, j) => `${given[place * parts + j]} for ${values[place * parts + j]}`,
    );
    worst.push({ name, error, limit: type === "float32" ? float : double, at: `(${at}): ${inputTexts.join(", ")}` });
  }
  for (const one of [...arrays, ...results]) one.release();
  return worst;
}

/** The distance relative to the scale; 0 if both are beyond the dtype's range. */
function errorOf(
  given: Float64Array,
  values: Float64Array,
  parts: number,
  i: number,
  scale: number,
  type: "float32" | "float64",
): number {
  const [least, most] = type === "float32" ? [1.2e-37, 3.3e38] : [2.3e-307, 1.7e308];
  const beyond = (list: Float64Array): boolean =>
    list.subarray(i * parts, (i + 1) * parts).some((part) => Math.abs(part) > most);
  // Neither part of an overflowed complex number is meaningful.
  if (parts > 1 && beyond(values) && beyond(given)) return 0;
  let square = 0;
  for (let j = i * parts; j < (i + 1) * parts; j++) {
    const [a, b] = [given[j] as number, values[j] as number];
    if (Object.is(a, b) || (Number.isNaN(a) && Number.isNaN(b))) continue;
    const tiny = Math.abs(b) < least && Math.abs(a) < 1.1 * least;
    const huge = Math.abs(b) > most && Math.abs(a) > most && a * b > 0;
    if (tiny || huge) continue;
    square += ((a - b) / Math.max(scale, least)) ** 2;
  }
  return Math.sqrt(square);
}

function answers(
  { cases, complex = false }: SpecialGroup,
  inputs: readonly (Float32Array | Float64Array)[],
): { readonly values: Float64Array; readonly scale: Float64Array }[] {
  const bytes = inputs.map((list) => Buffer.from(Float64Array.from(list).buffer).toString("base64"));
  const asked = cases.map(({ theirs, scale = "0" }) => ({ theirs, scale, complex, inputs: bytes }));
  const { status, stdout, stderr } = spawnSync(python, [script], {
    input: JSON.stringify(asked),
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`SciPy failed: ${stderr.toString()}`);
  const floats = (text: string): Float64Array => new Float64Array(Uint8Array.from(Buffer.from(text, "base64")).buffer);
  return (JSON.parse(stdout.toString()) as { values: string; scale: string }[]).map((one) => ({
    values: floats(one.values),
    scale: floats(one.scale),
  }));
}
