/**
 * What a kernel computes for each element, as a tree: inputs and values of the host, and operations on them, each with the
 * type of its result. Operators make such trees of one operation; a trace makes larger ones.
 *
 * Equal trees are the same object: a node knows what was made of it. So what is used twice is computed once, and the kernel
 * of an expression is found by its identity.
 */
import type { DTypeName } from "../types/dtype-name.js";
import type { OperatorName } from "./operators.js";

interface Node {
  /** What tells it from all other nodes. */
  readonly id: number;
  readonly dtype: DTypeName;
  /** What was made of it as the first operand. There are as many as a program writes down, so they are kept. */
  readonly uses: Map<string, Expression>;
}

/** An element of an array: that at the place which is computed. */
export interface Input extends Node {
  readonly kind: "input";
  readonly index: number;
}

/** A value of the host, which is an argument of the kernel, so that another value is no other kernel. */
export interface Scalar extends Node {
  readonly kind: "scalar";
  readonly index: number;
}

/** What such an argument is, of the type in which it is computed with. */
export interface ScalarValue {
  readonly dtype: DTypeName;
  readonly value: number | bigint;
}

/** The same value as another type. */
export interface Cast extends Node {
  readonly kind: "cast";
  readonly operand: Expression;
}

/** What an operator makes of its operands, which have the type in which it computes. */
export interface Operation extends Node {
  readonly kind: "operation";
  readonly operator: OperatorName;
  readonly operands: readonly [Expression, ...Expression[]];
}

/** A tree. */
export type Expression = Input | Scalar | Cast | Operation;

let count = 0;
const leaves = new Map<string, Expression>();

/** The element of the input of that number. */
export function input(index: number, dtype: DTypeName): Expression {
  return known(leaves, `x${index}${dtype}`, () => ({ kind: "input", index, ...node(dtype) }));
}

/** The value of that number. */
export function scalar(index: number, dtype: DTypeName): Expression {
  return known(leaves, `s${index}${dtype}`, () => ({ kind: "scalar", index, ...node(dtype) }));
}

/** The expression as a type: itself if it has that type already. */
export function cast(operand: Expression, dtype: DTypeName): Expression {
  if (operand.dtype === dtype) return operand;
  return known(operand.uses, dtype, () => ({ kind: "cast", operand, ...node(dtype) }));
}

/** An operation on operands that have the right types; `operation()` of build.ts finds those. */
export function operationNode(
  operator: OperatorName,
  operands: readonly [Expression, ...Expression[]],
  dtype: DTypeName,
): Expression {
  const [first, ...others] = operands;
  let key = `${operator}:${dtype}`;
  for (const other of others) key += `,${other.id}`;
  return known(first.uses, key, () => ({ kind: "operation", operator, operands, ...node(dtype) }));
}

/**
 * Returns the nodes of trees, each once, after its operands. Leaves out what is in `seen` with all below it, and adds
 * the nodes to it. Iterative, because traces of thousands of operations are as deep as they are long.
 */
export function nodesOf(trees: readonly Expression[], seen: Set<Expression> = new Set()): Expression[] {
  const nodes: Expression[] = [];
  // Paths from a tree down to the node that is visited: each with its next operand.
  const path: { readonly node: Expression; readonly operands: readonly Expression[]; next: number }[] = [];
  const enter = (node: Expression): void => {
    if (seen.has(node)) return;
    seen.add(node);
    path.push({ node, operands: operandsOf(node), next: 0 });
  };
  for (const tree of trees) {
    enter(tree);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const operand = top.operands[top.next++];
      if (operand !== undefined) {
        enter(operand);
        continue;
      }
      nodes.push(top.node);
      path.pop();
    }
  }
  return nodes;
}

function operandsOf(node: Expression): readonly Expression[] {
  if (node.kind === "operation") return node.operands;
  return node.kind === "cast" ? [node.operand] : [];
}

/** Trees with other inputs and values of the host in the places of theirs. */
export function withLeaves(trees: readonly Expression[], leafFor: (leaf: Input | Scalar) => Expression): Expression[] {
  const made = new Map<Expression, Expression>();
  const other = (tree: Expression): Expression => made.get(tree) as Expression;
  for (const one of nodesOf(trees)) {
    if (one.kind === "cast") made.set(one, cast(other(one.operand), one.dtype));
    else if (one.kind !== "operation") made.set(one, leafFor(one));
    else {
      const operands = one.operands.map((operand) => other(operand)) as [Expression, ...Expression[]];
      made.set(one, operationNode(one.operator, operands, one.dtype));
    }
  }
  return trees.map((tree) => other(tree));
}

function node(dtype: DTypeName): Node {
  return { id: count++, dtype, uses: new Map() };
}

function known(map: Map<string, Expression>, key: string, make: () => Expression): Expression {
  let expression = map.get(key);
  if (expression === undefined) map.set(key, (expression = make()));
  return expression;
}
