/**
 * OpenCL C for CPUs: few work-items, each with a loop over a contiguous range of elements that the compiler vectorizes.
 * PoCL vectorizes such loops better than work-items: `a + b` of 1e7 float32 takes 2.7 ms instead of 3.4, a comparison
 * 2.2 instead of 5.2.
 */
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { loadedApart as loaded, storedApart as stored, storedType } from "./compute-type.js";
import { type Expression, nodesOf } from "../expression/expression.js";
import { expressionHead, expressionStatements, wideStatements } from "./expression-code.js";
import { vectorCallOf } from "./operator-code.js";
import { type ElementwiseText, operandParameters, placesType } from "./strided-source.js";

/** Number of adjacent elements along the innermost axis per computation of offsets. */
export const tileLength = 4096;

/** Block size of results that are written with non-temporal stores. */
const blockLength = 256;

/** Elements are independent of each other, which the compiler cannot know of pointers that may be equal. */
const vectorized = `_Pragma("clang loop vectorize(assume_safety) vectorize_width(16)")`;

/** What cannot be made vectors of is still right: that is nothing to warn users of. */
export const quiet: string = `#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#endif`;

/**
 * Vectors that are not read soon go to memory past the caches, which saves reading what is overwritten. The processor wants
 * them at multiples of their size then, and memory of others begins anywhere.
 */
export const pastCaches: string = `#define PAST_CACHES(value, place) (*(place) = (value))
#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
#undef PAST_CACHES
#define PAST_CACHES(value, place) \\
  do { \\
    if (((size_t)(place) & (sizeof(value) - 1)) == 0) { \\
      __builtin_nontemporal_store(value, place); \\
    } else { \\
      typedef __typeof__((value) + (value)) Loose_ __attribute__((aligned(1))); \\
      *(__global Loose_ *)(place) = (value); \\
    } \\
  } while (0)
#endif
#endif`;

/**
 * Returns the kernel for operands that are contiguous from the start of their memory; the last argument is the number
 * of elements.
 */
export function denseLoopSource(text: ElementwiseText): string {
  return `${quiet}
${expressionHead(text.outputs)}
__kernel void elementwise(${[...operandParameters(text), "const int size"].join(", ")}) {
${ownPart(64)}
${loop(text, "int", "start", "end", (_, i) => i)}
}
`;
}

/** The same with results that are not read soon: they go to memory past the caches, which saves reading what is overwritten. */
export function streamingSource(text: ElementwiseText): string {
  const { inputs, outputs } = text;
  const blocks = outputs.map(
    ({ dtype }, k) => `${storedType(dtype)} block${k}[${blockLength}] __attribute__((aligned(64)));`,
  );
  const { lines, results } = expressionStatements(outputs, (k) => loaded(inputs[k] as DTypeName, `in${k}`, "i"));
  const fill = outputs.map(({ dtype }, k) => stored(dtype, `block${k}`, "j", results[k] as string));
  const flush = outputs.map(({ dtype }, k) => {
    const width = Math.min(16, 64 / typeNamed(dtype).itemSize);
    const vector = `${storedType(dtype)}${width}`;
    return `for (int j = 0; j < ${blockLength}; j += ${width})
      PAST_CACHES(*(__private const ${vector} *)(block${k} + j), (__global ${vector} *)(out${k} + first + j));`;
  });
  return `${quiet}
${expressionHead(outputs)}
${pastCaches}
__kernel void elementwise(${[...operandParameters(text), "const int size"].join(", ")}) {
${ownPart(blockLength)}
  const int whole = start + (end - start) / ${blockLength} * ${blockLength};
  for (int first = start; first < whole; first += ${blockLength}) {
    ${blocks.join("\n    ")}
    _Pragma("clang loop vectorize(enable) vectorize_width(16)")
    for (int j = 0; j < ${blockLength}; j++) {
      const int i = first + j;
${indented([...lines, ...fill], 6)}
    }
    ${flush.join("\n    ")}
  }
  for (int i = whole; i < end; i++) {
${body(text, (_, i) => i)}
  }
}
`;
}

/** True if results of the expressions can be written past the caches, and are not slower to compute than to write. */
export function canStream(text: ElementwiseText): boolean {
  if (wideWidth(text) !== undefined) return false;
  return text.outputs.every(({ dtype }) => dtype !== "float16" && kindOf(dtype) < 4);
}

/** The layout of operands, as far as the source depends on it. */
export interface TiledText {
  readonly rank: number;
  /** The distance along the innermost axis for each operand, where it is 0, 1 or -1. */
  readonly steps: readonly (0 | 1 | -1 | undefined)[];
  readonly short: boolean;
}

/** Returns the kernel for operands with any strides; the last argument is `Places`. */
export function tiledLoopSource(text: ElementwiseText, { rank, steps, short }: TiledText): string {
  const index = short ? "int" : "long";
  const operands = text.inputs.length + text.outputs.length;
  const outer = Array.from({ length: rank - 1 }, (_, k) => k + 1);
  const indices = outer.map((axis) =>
    axis === rank - 1
      ? `const ${index} i${axis} = row;`
      : `const ${index} i${axis} = row % places.extent[${axis}]; row /= places.extent[${axis}];`,
  );
  const bases = Array.from({ length: operands }, (_, k) => {
    const terms = outer.map((axis) => ` + i${axis} * places.stride[${k}][${axis}]`);
    return `const ${index} base${k} = places.offset[${k}]${terms.join("")};`;
  });
  const at = (k: number, i: string): string => {
    const step = steps[k];
    if (step === undefined) return `base${k} + (${i}) * places.stride[${k}][0]`;
    return step === 0 ? `base${k}` : `base${k} ${step < 0 ? "-" : "+"} (${i})`;
  };
  return `${quiet}
${expressionHead(text.outputs)}
${placesType(text, rank, index)}
__kernel void elementwise(${[...operandParameters(text), "const Places places"].join(", ")}) {
  const ${index} length = places.extent[0], tiles = (length + ${tileLength - 1}) / ${tileLength};
  const long all = (long)tiles * (places.size / length);
  const long last = all * (long)(get_global_id(0) + 1) / (long)get_global_size(0);
  for (long tile = all * (long)get_global_id(0) / (long)get_global_size(0); tile < last; tile++) {
    const ${index} from = (${index})(tile % tiles) * ${tileLength}, to = min(from + ${tileLength}, length);
    ${outer.length === 0 ? "" : `${index} row = (${index})(tile / tiles);`}
${indented([...indices, ...bases], 4)}
${loop(text, index, "from", "to", at)}
  }
}
`;
}

/* The part of one work-item, in whole lines of the caches. */
const ownPart = (unit: number): string => `  const long units = (size + (long)${unit - 1}) / ${unit};
  const int start = (int)(units * (long)get_global_id(0) / (long)get_global_size(0)) * ${unit};
  const int end = min((int)(units * (long)(get_global_id(0) + 1) / (long)get_global_size(0)) * ${unit}, size);`;

/** The place of an operand's element, of the number that a text says. */
type PlaceOf = (operand: number, i: string) => string;

/** The loop over some elements: of vectors, or where functions are called, of blocks with calls that take vectors. */
function loop(text: ElementwiseText, index: string, from: string, to: string, at: PlaceOf): string {
  const width = wideWidth(text);
  if (width === undefined) {
    return `  ${vectorized}
  for (${index} i = ${from}; i < ${to}; i++) {
${body(text, at)}
  }`;
  }
  const { inputs, outputs } = text;
  const lines = wideStatements(
    outputs,
    width,
    (k) => loaded(inputs[k] as DTypeName, `in${k}`, at(k, "first + j")),
    (k, value) => stored((outputs[k] as Expression).dtype, `out${k}`, at(inputs.length + k, "first + j"), value),
  );
  return `  ${index} first = ${from};
  for (; first + ${width} <= ${to}; first += ${width}) {
${indented(lines, 4)}
  }
  for (${index} i = first; i < ${to}; i++) {
${body(text, at)}
  }`;
}

/** Returns the number of elements in 64 bytes of the type of function calls; undefined without calls. */
function wideWidth({ outputs }: ElementwiseText): number | undefined {
  const calls = [...nodesOf(outputs)].filter((node) => node.kind === "operation" && vectorCallOf(node) !== undefined);
  if (calls.length === 0) return undefined;
  return calls.some(({ dtype }) => dtype === "float64") ? 8 : 16;
}

/** The statements for one element, of number `i`. */
function body({ inputs, outputs }: ElementwiseText, at: PlaceOf): string {
  const { lines, results } = expressionStatements(outputs, (k) => loaded(inputs[k] as DTypeName, `in${k}`, at(k, "i")));
  const stores = outputs.map(({ dtype }, k) =>
    stored(dtype, `out${k}`, at(inputs.length + k, "i"), results[k] as string),
  );
  return indented([...lines, ...stores], 6);
}

function indented(lines: readonly string[], by: number): string {
  return lines.map((line) => `${" ".repeat(by)}${line}`).join("\n");
}
