/** OpenCL C of gather, scatter and update kernels. One work-item for each index, without a loop. */
import { carrierOf } from "./carrier.js";
import type { UpdateCode } from "./update-code.js";
import { noteFault } from "../faults/device-faults.js";
import { indexFault } from "../faults/index-faults.js";
import { macros } from "../kernels/macros.js";
import indexed from "./indexed.cl";

/**
 * What happens to an index that names no element: it is noted and the place left out; it cannot be, since the host has
 * checked; it wraps around; it becomes the nearest; or its place is left out, which only negative ones ask for.
 */
export type IndexMode = "raise" | "trusted" | "wrap" | "clip" | "missing";

/** What the text for one array of indices depends on. */
export interface TermPlan {
  /** The type of the indices in OpenCL C. */
  readonly type: string;
  readonly mode: IndexMode;
  /** Over how many axes it counts. */
  readonly axes: number;
  /** Which axis of the array it is for, in sentences. */
  readonly axis: number;
}

/** What the text of a kernel depends on. */
export interface IndexedPlan {
  /** What is done at a place: an element is taken from there, stored there, or one there is updated. */
  readonly action: "gather" | "scatter" | UpdateCode;
  readonly itemSize: number;
  readonly terms: readonly TermPlan[];
  readonly masked: boolean;
  /** True if there is an element for places that are left out; zeros if not. */
  readonly filled: boolean;
  readonly rank: number;
  /** The strides, if all axes collapse into one and every operand is contiguous or a single element. */
  readonly flat: readonly number[] | undefined;
  readonly short: boolean;
}

/** True if the kernel notes faults. */
export function notesFaults(plan: IndexedPlan): boolean {
  return plan.terms.some(({ mode }) => mode === "raise");
}

/** The program, with one kernel, `indexed`. Operands: the array, the other side, indices, mask, filling. */
export function indexedSource(plan: IndexedPlan): string {
  const { action, terms, masked, filled } = plan;
  const index = plan.short ? "int" : "long";
  const carrier =
    typeof action === "object" ? { ...carrierOf(plan.itemSize), type: action.type } : carrierOf(plan.itemSize);
  const count = 2 + terms.length + (masked ? 1 : 0) + (filled ? 1 : 0);
  const bounds = terms.reduce((sum, { axes }) => sum + axes, 0);
  const [mask, fill] = [2 + terms.length, 2 + terms.length + (masked ? 1 : 0)];
  const constantIf = (reading: boolean): string => (reading ? "const " : "");
  const parameters = [
    `__global ${constantIf(action === "gather")}${carrier.type} *const data`,
    `__global ${constantIf(action !== "gather")}${carrier.type} *const other`,
    ...terms.map(({ type }, k) => `__global const ${type} *const indices${k}`),
    ...(masked ? ["__global const uchar *const mask"] : []),
    ...(filled ? [`__global const ${carrier.type} *const fill`] : []),
    ...(notesFaults(plan) ? ["volatile __global int *const fault"] : []),
    "const Places places",
  ];
  let bound = 0;
  const lines = terms.map((term, k) => {
    const text = termCode(term, k, bound, index);
    bound += term.axes;
    return text;
  });
  const act = {
    gather: `other[at1] = inside ? data[place] : ${filled ? `fill[at${fill}]` : carrier.zero};`,
    scatter: "if (inside) data[place] = other[at1];",
    update: "if (inside) update(data, place, other, at1);",
  }[typeof action === "object" ? "update" : action];
  const names = {
    INDEX: index,
    OPERANDS: count,
    AXES: Math.max(plan.rank, 1),
    BOUNDS: Math.max(bounds, 1),
    PARAMETERS: parameters.join(", "),
    FIND_OPERANDS: placesCode(plan, count, index),
    IS_MASKED_OUT: masked ? `mask[at${mask}] == 0` : "0",
    FIND_PLACE: lines.join(" "),
    ACT: act,
    INDEX_FAULT: indexFault,
  };
  const head = typeof action === "object" ? action.head() : carrier.head;
  return `${head}\n${notesFaults(plan) ? noteFault : ""}${macros(names)}${indexed}`;
}

function placesCode({ flat, rank }: IndexedPlan, count: number, index: string): string {
  if (flat !== undefined) {
    return flat.map((step, k) => `const ${index} at${k} = places.offset[${k}]${step === 0 ? "" : " + i"};`).join(" ");
  }
  const unsigned = `u${index}`;
  const coordinates = Array.from({ length: rank }, (_, axis) =>
    axis === rank - 1
      ? `const ${index} i${axis} = (${index})rest;`
      : `const ${index} i${axis} = (${index})(rest % (${unsigned})places.extent[${axis}]); rest /= (${unsigned})places.extent[${axis}];`,
  );
  const at = Array.from({ length: count }, (_, k) => {
    const terms = Array.from({ length: rank }, (_one, axis) => ` + i${axis} * places.stride[${k}][${axis}]`);
    return `const ${index} at${k} = places.offset[${k}]${terms.join("")};`;
  });
  return [`${unsigned} rest = (${unsigned})i;`, ...coordinates, ...at].join(" ");
}

/** Short types whose indices are computed with as the places are; the others could lose digits. */
const narrow = new Set(["char", "uchar", "short", "ushort", "int"]);

function termCode({ type, mode, axes, axis }: TermPlan, k: number, bound: number, index: string): string {
  const wide = narrow.has(type) ? index : "long";
  const limit = Array.from({ length: axes }, (_, i) => `(${wide})places.bound[${bound + i}]`).join(" * ");
  // What no long holds is beyond every bound, and must not come out negative.
  const given =
    type === "ulong" ? `(long)min(indices${k}[at${2 + k}], (ulong)LONG_MAX)` : `(${wide})indices${k}[at${2 + k}]`;
  const moves = Array.from({ length: axes }, (_, i) => axes - 1 - i).map((i) => {
    const own = `places.step[${bound + i}]`;
    if (i === 0) return `place += (${index})number * ${own};`;
    const extent = `(${wide})places.bound[${bound + i}]`;
    return `place += (${index})(number % ${extent}) * ${own}; number /= ${extent};`;
  });
  return `{
    ${wide} number = ${given};
    const ${wide} limit = ${limit};
    ${modeMacros[mode]}(${wide}, ${axis}, limit)
    ${moves.join(" ")}
  }`;
}

/** The macros of indexed.cl for an index that may name no element. */
const modeMacros: Readonly<Record<IndexMode, string>> = {
  raise: "RAISE",
  trusted: "TRUST",
  wrap: "WRAP",
  clip: "CLIP",
  missing: "MISS",
};
