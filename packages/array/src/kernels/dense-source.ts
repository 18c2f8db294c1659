/**
 * OpenCL C of kernels whose operands are all contiguous from the start of their memory: a work-item computes one
 * element, or a few adjacent ones, which it loads and stores as one vector.
 */
import type { DTypeName } from "../types/dtype-name.js";
import { computeType, loaded, stored, storedType } from "./compute-type.js";
import { expressionHead, expressionStatements } from "./expression-code.js";
import { type ElementwiseText, operandParameters } from "./strided-source.js";

/** The program, with one kernel, `elementwise`, whose last argument is the number of elements. */
export function denseSource(text: ElementwiseText, width: number): string {
  const { inputs, outputs } = text;
  const { lines, results } = expressionStatements(outputs, (k) => loaded(inputs[k] as DTypeName, `in${k}`, "i"));
  const stores = outputs.map(({ dtype }, k) => stored(dtype, `out${k}`, "i", results[k] as string));
  const one = [...lines, ...stores];
  return `${expressionHead(outputs)}
__kernel void elementwise(${[...operandParameters(text), "const int size"].join(", ")}) {
${width === 1 ? single(one) : several(text, width, one)}
}
`;
}

const single = (one: readonly string[]): string => `  const int i = (int)get_global_id(0);
  if (i >= size) return;
${one.map((line) => `  ${line}`).join("\n")}`;

/* The last work-item may have fewer elements, which it takes one by one. */
const several = (
  text: ElementwiseText,
  width: number,
  one: readonly string[],
): string => `  const int first = (int)get_global_id(0) * ${width};
  if (first >= size) return;
  if (first > size - ${width}) {
    for (int i = first; i < size; i++) {
${one.map((line) => `      ${line}`).join("\n")}
    }
    return;
  }
${vectors(text, width)
  .map((line) => `  ${line}`)
  .join("\n")}`;

/* Memory begins at an aligned address, so these vectors are aligned, too. */
function vectors({ inputs, outputs }: ElementwiseText, width: number): readonly string[] {
  const loads = inputs.map((type, k) =>
    type === "float16"
      ? `const float${width} x${k} = vload_half${width}(0, in${k} + first);`
      : `const ${storedType(type)}${width} x${k} = *(__global const ${storedType(type)}${width} *)(in${k} + first);`,
  );
  const results = outputs.map(({ dtype }, k) => `${computeType(dtype)}${width} r${k};`);
  const lanes = Array.from({ length: width }, (_, lane) => {
    const part = `s${lane.toString(16)}`;
    const { lines, results: values } = expressionStatements(outputs, (k) =>
      inputs[k] === "bool" ? `(uchar)(x${k}.${part} != 0)` : `x${k}.${part}`,
    );
    return `{ ${[...lines, ...outputs.map((_one, k) => `r${k}.${part} = ${values[k] as string};`)].join(" ")} }`;
  });
  const stores = outputs.map(({ dtype }, k) =>
    dtype === "float16"
      ? `vstore_half${width}_rte(r${k}, 0, out${k} + first);`
      : `*(__global ${storedType(dtype)}${width} *)(out${k} + first) = r${k};`,
  );
  return [...loads, ...results, ...lanes, ...stores];
}
