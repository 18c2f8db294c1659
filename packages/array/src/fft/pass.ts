/** One pass over memory, in which lines of one length are transformed. */
import { macros } from "../kernels/macros.js";
import passStruct from "./pass.cl";

/** Where lines are, counted in complex elements. */
export interface Pass {
  /** Elements of a line. */
  readonly length: number;
  /** Number of lines that are transformed together. */
  readonly lanes: number;
  readonly laneIn: number;
  readonly laneOut: number;
  /** From element to element of a line. */
  readonly stepIn: number;
  readonly stepOut: number;
  /** Number of such groups of lines along three axes. */
  readonly counts: readonly [number, number, number];
  readonly ins: readonly [number, number, number];
  readonly outs: readonly [number, number, number];
  /**
   * Results are multiplied by roots of unity of this order, with exponent element index times lane index; 0 if they are
   * not. This number of adjacent lanes shares a root.
   */
  readonly order: number;
  readonly shared: number;
}

/** The lines to transform: those along the second axis of three, in C order. */
export interface Lines {
  readonly batch: number;
  readonly length: number;
  readonly inner: number;
}

/**
 * Returns the passes that transform lines whose length is the product of `parts`. All passes but the last work in
 * place; the last one puts the elements in order, so it cannot write to its input.
 */
export function passesOf({ batch, length, inner }: Lines, parts: readonly number[]): readonly Pass[] {
  if (parts.length === 1) return [wholePass({ batch, length, inner })];
  const passes: Pass[] = [];
  let before = 1;
  let rest = length;
  for (const part of parts.slice(0, -1)) {
    const order = rest;
    rest /= part;
    const lanes = rest * inner;
    const outer = order * inner;
    passes.push({
      length: part,
      lanes,
      laneIn: 1,
      laneOut: 1,
      stepIn: lanes,
      stepOut: lanes,
      counts: [batch * before, 1, 1],
      ins: [outer, 0, 0],
      outs: [outer, 0, 0],
      order,
      shared: inner,
    });
    before *= part;
  }
  passes.push(lastPass({ batch, length, inner }, parts));
  return passes;
}

function wholePass({ batch, length, inner }: Lines): Pass {
  const lanesInner = inner > 1 || batch === 1;
  return {
    length,
    lanes: lanesInner ? inner : batch,
    laneIn: lanesInner ? 1 : length,
    laneOut: lanesInner ? 1 : length,
    stepIn: inner,
    stepOut: inner,
    counts: [lanesInner ? batch : 1, 1, 1],
    ins: [length * inner, 0, 0],
    outs: [length * inner, 0, 0],
    order: 0,
    shared: 1,
  };
}

/** Elements of the first part become contiguous. */
function lastPass({ batch, length, inner }: Lines, parts: readonly number[]): Pass {
  const last = parts.at(-1) as number;
  const [first, second = 1, third = 1] = parts.slice(0, -1) as [number, number?, number?];
  if (parts.length > 4) throw new Error("unreachable: too many factors");
  const whole = length * inner;
  const [inFirst, inSecond, inThird] = [whole / first, whole / (first * second), whole / (first * second * third)];
  const outLast = first * second * third * inner;
  const others = { length: last, stepIn: inner, stepOut: outLast, order: 0, shared: 1 } as const;
  if (inner > 1) {
    // Three axes are enough: a fourth part comes with lines beyond 2^30 elements, which have no second axis.
    if (third > 1) throw new Error("unreachable: too many factors");
    return {
      ...others,
      lanes: inner,
      laneIn: 1,
      laneOut: 1,
      counts: [first, second, batch],
      ins: [inFirst, inSecond, whole],
      outs: [inner, first * inner, whole],
    };
  }
  return {
    ...others,
    lanes: first,
    laneIn: inFirst,
    laneOut: 1,
    counts: [second, third, batch],
    ins: [inSecond, inThird, whole],
    outs: [first, first * second, whole],
  };
}

/** A pass as the kernels' last argument. */
export function passNumbers(pass: Pass, starts: readonly [number, number], short: boolean): Int32Array | BigInt64Array {
  const { lanes, laneIn, laneOut, stepIn, stepOut, counts, ins, outs, shared } = pass;
  const numbers = [lanes, laneIn, laneOut, stepIn, stepOut, ...counts, ...ins, ...outs, ...starts, shared];
  return short ? Int32Array.from(numbers) : BigInt64Array.from(numbers, BigInt);
}

/** The type of that argument. */
export function passType(short: boolean): string {
  return `${macros({ place_t: short ? "int" : "long" })}${passStruct}`;
}
