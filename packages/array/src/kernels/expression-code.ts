/** OpenCL C of expressions, for all kinds of kernels: the program's preamble, and the statements that compute them. */
import { type Expression, nodesOf } from "../expression/expression.js";
import { computeType, converted } from "./compute-type.js";
import { libraryFor } from "./library/library.js";
import { operatorCode, type VectorCall, vectorCallOf } from "./operator-code.js";

/** What the types and operations in expressions need: the head of a program. */
export function expressionHead(expressions: readonly Expression[]): string {
  const types = new Set([...nodesOf(expressions)].map(({ dtype }) => dtype));
  const lines = ["/* Results are those of the operations one by one. */", "#pragma OPENCL FP_CONTRACT OFF"];
  if (types.has("float64") || types.has("complex128")) lines.unshift("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
  if (types.has("float16")) lines.push(roundToHalf);
  const text = expressionStatements(expressions, () => "").lines.join("\n");
  return `${lines.join("\n")}\n${libraryFor(text)}`;
}

/** Statements, and the names of the variables in which the results are. */
export interface ExpressionCode {
  readonly lines: readonly string[];
  readonly results: readonly string[];
}

/**
 * One variable for each node that is computed, in an order in which each knows those before it. Inputs are what `load` says,
 * of their compute type; the names of values of the host are `s0`, `s1` ….
 */
export function expressionStatements(
  expressions: readonly Expression[],
  load: (index: number) => string,
): ExpressionCode {
  const lines: string[] = [];
  const names = new Map<Expression, string>();
  const nameOf = (node: Expression): string => names.get(node) as string;
  for (const node of nodesOf(expressions)) {
    if (node.kind === "scalar") {
      names.set(node, `s${node.index}`);
      continue;
    }
    const name = `v${names.size}`;
    names.set(node, name);
    lines.push(`const ${computeType(node.dtype)} ${name} = ${valueOf(node, load, nameOf)};`);
  }
  return { lines, results: expressions.map((expression) => nameOf(expression)) };
}

/**
 * Returns the statements for `width` adjacent elements at a time, with vector arguments for function calls: compilers
 * do not vectorize calls, and one element takes as long as eight. Loops over `j` compute everything between the calls;
 * they are unrolled, so that the arrays become registers, without which it takes seven times as long. The code of
 * `load` and `store` may use `j`.
 */
export function wideStatements(
  expressions: readonly Expression[],
  width: number,
  load: (index: number) => string,
  store: (output: number, value: string) => string,
): readonly string[] {
  const declarations: string[] = [];
  const lines: string[] = [];
  let loop: string[] = [];
  const flush = (): void => {
    if (loop.length > 0) lines.push(`_Pragma("unroll") for (int j = 0; j < ${width}; j++) { ${loop.join(" ")} }`);
    loop = [];
  };
  const names = new Map<Expression, string>();
  const nameOf = (node: Expression): string => (node.kind === "scalar" ? "" : "v") + (names.get(node) as string);
  const laneOf = (node: Expression): string => (node.kind === "scalar" ? nameOf(node) : `${nameOf(node)}[j]`);
  for (const node of nodesOf(expressions)) {
    if (node.kind === "scalar") {
      names.set(node, `s${node.index}`);
      continue;
    }
    names.set(node, String(names.size));
    const type = computeType(node.dtype);
    declarations.push(`${type} ${nameOf(node)}[${width}] __attribute__((aligned(64)));`);
    const call = node.kind === "operation" ? vectorCallOf(node) : undefined;
    if (node.kind !== "operation" || call === undefined) {
      loop.push(`${laneOf(node)} = ${valueOf(node, load, laneOf)};`);
      continue;
    }
    flush();
    const operands = node.operands.map((one) => ({ name: nameOf(one), isScalar: one.kind === "scalar" }));
    lines.push(...vectorCalls(call, type, width, nameOf(node), operands));
  }
  for (const [k, expression] of expressions.entries()) loop.push(store(k, laneOf(expression)));
  flush();
  return [...declarations, ...lines];
}

interface VectorOperand {
  readonly name: string;
  /** True for one value instead of an array of `width` elements. */
  readonly isScalar: boolean;
}

/** Returns the statements that call a function for `width` elements, with vectors as far as it can be trusted with them. */
function vectorCalls(
  { name, widest = Infinity, below }: VectorCall,
  type: string,
  width: number,
  result: string,
  operands: readonly VectorOperand[],
): readonly string[] {
  const lanes = Math.min(width, widest);
  const vector = `${type}${lanes}`;
  const lines: string[] = [];
  for (let lane = 0; lane < width; lane += lanes) {
    const at = (array: string): string => `*(${vector} *)(${array} + ${lane})`;
    const vectors = operands.map((one) => (one.isScalar ? `(${vector})(${one.name})` : at(one.name)));
    if (below === undefined) {
      lines.push(`${at(result)} = ${name}(${vectors.join(", ")});`);
      continue;
    }
    const [x = "", ...others] = vectors;
    const beyond = `isgreaterequal(fabs(${x}), (${vector})(${below}))`;
    lines.push(`${at(result)} = ${name}(${[`select(${x}, (${vector})(0), ${beyond})`, ...others].join(", ")});`);
    const own = operands.map((one) => (one.isScalar ? one.name : `${one.name}[j]`));
    const one = `if (fabs(${own[0] as string}) >= ${below}) ${result}[j] = ${name}(${own.join(", ")});`;
    lines.push(`if (any(${beyond})) for (int j = ${lane}; j < ${lane + lanes}; j++) { ${one} }`);
  }
  return lines;
}

function valueOf(
  node: Exclude<Expression, { kind: "scalar" }>,
  load: (index: number) => string,
  nameOf: (node: Expression) => string,
): string {
  switch (node.kind) {
    case "input":
      return load(node.index);
    case "cast":
      return converted(node.operand.dtype, node.dtype, nameOf(node.operand));
    case "operation": {
      const value = operatorCode(node, node.operands.map(nameOf));
      return node.dtype === "float16" ? `round_to_half(${value})` : value;
    }
    default:
      return node satisfies never;
  }
}

const roundToHalf = `
float round_to_half(const float x) {
  ushort bits;
  vstore_half_rte(x, 0, (half *)&bits);
  return vload_half(0, (const half *)&bits);
}
`;
