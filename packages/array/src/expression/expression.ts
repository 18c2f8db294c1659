/**
 * The expression tree that a kernel computes for each element: inputs, scalars and operations on them, each with the
 * dtype of its result. Eager operators make trees of one operation; traces make larger ones.
 *
 * Equal trees are the same object: a node caches the nodes made from it. So common subexpressions are computed once,
 * and the kernel of an expression is found by identity.
 */
import type { DTypeName } from "../types/dtype-name.js";
import type { OperatorName } from "./operators.js";

interface Node {
  /** Unique number of the node. */
  readonly id: number;
  readonly dtype: DTypeName;
  /**
   * Nodes that have this one as their first operand. Bounded by the number of expressions in the program, so nothing is
   * evicted.
   */
  readonly uses: Map<string, Expression>;
}

/** The element of an input array at the current index. */
export interface Input extends Node {
  readonly kind: "input";
  readonly index: number;
}

/** A scalar from the host. It is a kernel argument, so another value does not need another kernel. */
export interface Scalar extends Node {
  readonly kind: "scalar";
  readonly index: number;
}

/** What such an argument is, of the type in which it is computed with. */
export interface ScalarValue {
  readonly dtype: DTypeName;
  readonly value: number | bigint;
}

/** A conversion to another dtype. */
export interface Cast extends Node {
  readonly kind: "cast";
  readonly operand: Expression;
}

/** An operator applied to operands of the dtype in which it computes. */
export interface Operation extends Node {
  readonly kind: "operation";
  readonly operator: OperatorName;
  readonly operands: readonly [Expression, ...Expression[]];
}

/** An expression tree. */
export type Expression = Input | Scalar | Cast | Operation;

let count = 0;
/** Inputs and scalars by dtype and number. */
const leaves = { input: new Map<DTypeName, Expression[]>(), scalar: new Map<DTypeName, Expression[]>() };

/** The element of the input of that number. */
export function input(index: number, dtype: DTypeName): Expression {
  return leaf("input", index, dtype);
}

/** The value of that number. */
export function scalar(index: number, dtype: DTypeName): Expression {
  return leaf("scalar", index, dtype);
}

function leaf(kind: "input" | "scalar", index: number, dtype: DTypeName): Expression {
  let ofType = leaves[kind].get(dtype);
  if (ofType === undefined) leaves[kind].set(dtype, (ofType = []));
  return (ofType[index] ??= { kind, index, ...node(dtype) });
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

/** Returns the trees with their inputs and scalars replaced. */
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
