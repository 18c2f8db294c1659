/** OpenCL C that computes the offsets of a reduction's operands. */
import type { ReductionPlan } from "./reduction-plan.js";

/** Returns the OpenCL C type of the argument that tells a reduction kernel the sizes and strides of its operands. */
export function placesType({ inputs, kept, reduced }: ReductionPlan): string {
  const operands = inputs.length + 1;
  return `/* Distances are counted in elements, the innermost axis first. */
typedef struct {
  Index outputs; /* results */
  Index count;   /* elements of each */
  Index parts;   /* of a reduction */
  Index chunk;   /* elements of a part */
  Index batch;   /* results of a work-item */
  Index tiles;   /* of adjacent results */
  Index offset[${operands + 1}]; /* inputs, result, index */
  Index kept_extent[${kept}];
  Index kept_stride[${operands}][${kept}]; /* inputs, result */
  Index extent[${reduced}];
  Index stride[${operands}][${reduced}]; /* inputs, index */
} Places;`;
}

/**
 * Statements for the places where result `k` begins: `base0` … of the inputs, and `result_at`. Axes before `firstAxis` are
 * left to loops, and are not counted by `k`.
 */
export function keptPlaces({ inputs, kept }: ReductionPlan, k: string, firstAxis = 0): string {
  const axes = range(firstAxis, kept);
  const lines = indices("k", k, "kept_extent", axes);
  for (const operand of range(0, inputs.length + 1)) {
    const name = operand === inputs.length ? "result_at" : `base${operand}`;
    const terms = axes.map((axis) => ` + k${axis} * places.kept_stride[${operand}][${axis}]`);
    lines.push(`const Index ${name} = places.offset[${operand}]${terms.join("")};`);
  }
  return lines.join("\n");
}

/**
 * Statements for the places of element `i` of those that are reduced: `at0` … of the inputs, and `index`, each with the
 * suffix. Axes before `firstAxis` are left to loops, and are not counted by `i`.
 */
export function reducedPlaces({ inputs, reduced }: ReductionPlan, i: string, suffix = "", firstAxis = 0): string {
  const axes = range(firstAxis, reduced);
  const lines = indices(`i${suffix}_`, i, "extent", axes);
  for (const operand of range(0, inputs.length + 1)) {
    const terms = axes.map((axis) => ` + i${suffix}_${axis} * places.stride[${operand}][${axis}]`);
    const [name, base] =
      operand === inputs.length ? ["index", `places.offset[${operand + 1}]`] : [`at${operand}`, `base${operand}`];
    lines.push(`const Index ${name}${suffix} = ${base}${terms.join("")};`);
  }
  return lines.join("\n");
}

/** One number taken apart. */
function indices(name: string, number: string, extents: string, axes: readonly number[]): string[] {
  if (axes.length === 1) return [`const Index ${name}${axes[0]} = ${number};`];
  if (axes.length === 0) return [];
  const lines = [`Index ${name}rest = ${number};`];
  for (const axis of axes.slice(0, -1)) {
    lines.push(`const Index ${name}${axis} = ${name}rest % places.${extents}[${axis}];`);
    lines.push(`${name}rest /= places.${extents}[${axis}];`);
  }
  lines.push(`const Index ${name}${axes.at(-1)} = ${name}rest;`);
  return lines;
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}
