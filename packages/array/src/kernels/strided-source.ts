/**
 * OpenCL C of kernels for operands of any strides: one work-item for each element, without a loop, which compilers for
 * CPUs vectorize and which suits GPUs.
 */
import type { Expression } from "../expression/expression.js";
import type { DTypeName } from "../types/dtype-name.js";
import { computeType, loaded, stored, storedType } from "./compute-type.js";
import { expressionHead, expressionStatements } from "./expression-code.js";

/** The expressions that a kernel computes. */
export interface ElementwiseText {
  /** The results, with the dtypes that are stored. */
  readonly outputs: readonly Expression[];
  readonly inputs: readonly DTypeName[];
  readonly scalars: readonly DTypeName[];
}

/** The layout of operands, as far as the source depends on it. */
export interface StridedText {
  /** How many axes there are after collapsing; for one, distances are part of the text. */
  readonly rank: number;
  /** The distances along a single axis where each is 0 or 1, one for each input and then for each output. */
  readonly flat: readonly number[] | undefined;
  /** True if places are counted in 32 bits. */
  readonly short: boolean;
}

/** A kernel's parameters for memory and for values of the host. */
export function operandParameters({ inputs, outputs, scalars }: ElementwiseText): readonly string[] {
  return [
    ...inputs.map((type, k) => `__global const ${storedType(type)} *const in${k}`),
    ...outputs.map(({ dtype }, k) => `__global ${storedType(dtype)} *const out${k}`),
    ...scalars.map((type, k) => `const ${computeType(type)} s${k}`),
  ];
}

/** Returns the type of a kernel's last argument, which has each operand's strides along the axes. */
export function placesType({ inputs, outputs }: ElementwiseText, rank: number, index: string): string {
  const operands = inputs.length + outputs.length;
  return `/* Counted in elements, the innermost axis first. The last operands are the results. */
typedef struct {
  ${index} size;
  ${index} offset[${operands}];
  ${index} extent[${rank}];
  ${index} stride[${operands}][${rank}];
} Places;
`;
}

/** The program, with one kernel, `elementwise`, whose last argument is `Places`. */
export function stridedSource(text: ElementwiseText, { rank, flat, short }: StridedText): string {
  const { inputs, outputs } = text;
  const index = short ? "int" : "long";
  const operands = inputs.length + outputs.length;
  const places = flat === undefined ? stridedPlaces() : flatPlaces(flat);
  const { lines, results } = expressionStatements(outputs, (k) => loaded(inputs[k] as DTypeName, `in${k}`, `at${k}`));
  const stores = outputs.map(({ dtype }, k) =>
    stored(dtype, `out${k}`, `at${inputs.length + k}`, results[k] as string),
  );
  return `${expressionHead(outputs)}
${placesType(text, Math.max(rank, 1), index)}
__kernel void elementwise(${[...operandParameters(text), "const Places places"].join(", ")}) {
  const ${index} i = (${index})get_global_id(0);
  if (i >= places.size) return;
${places}
${[...lines, ...stores].map((line) => `  ${line}`).join("\n")}
}
`;

  function flatPlaces(steps: readonly number[]): string {
    return steps
      .map((step, k) => `  const ${index} at${k} = places.offset[${k}]${step === 0 ? "" : " + i"};`)
      .join("\n");
  }

  /* The axes are known by number, so that the compiler unrolls what would be a loop. */
  function stridedPlaces(): string {
    const unsigned = `u${index}`;
    const indices = Array.from({ length: rank }, (_, axis) =>
      axis === rank - 1
        ? `  const ${index} i${axis} = (${index})rest;`
        : `  const ${index} i${axis} = (${index})(rest % (${unsigned})places.extent[${axis}]);\n  rest /= (${unsigned})places.extent[${axis}];`,
    );
    const at = Array.from({ length: operands }, (_, k) => {
      const terms = Array.from({ length: rank }, (_one, axis) => ` + i${axis} * places.stride[${k}][${axis}]`);
      return `  const ${index} at${k} = places.offset[${k}]${terms.join("")};`;
    });
    return [`  ${unsigned} rest = (${unsigned})i;`, ...indices, ...at].join("\n");
  }
}
