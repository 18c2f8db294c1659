import { expect, test } from "vitest";
import { type Expression, input, nodesOf, operationNode, withLeaves } from "../../src/expression/expression.js";

const x = input(0, "float32");
const y = input(1, "float32");

test("returns each node once, after its operands", () => {
  const sum = operationNode("add", [x, y], "float32");
  const square = operationNode("multiply", [sum, sum], "float32");
  expect(nodesOf([square, sum, y])).toEqual([x, y, sum, square]);
});

test("leaves out nodes seen before, and remembers the new ones", () => {
  const sum = operationNode("add", [x, y], "float32");
  const double = operationNode("add", [sum, sum], "float32");
  const seen = new Set<Expression>();
  expect(nodesOf([sum], seen)).toEqual([x, y, sum]);
  expect(nodesOf([double], seen)).toEqual([double]);
  expect(nodesOf([double], seen)).toEqual([]);
});

test("walks chains of 100,000 operations, from either operand", () => {
  let left: Expression = x;
  let right: Expression = x;
  for (let i = 0; i < 100_000; i++) {
    left = operationNode("add", [left, y], "float32");
    right = operationNode("add", [y, right], "float32");
  }
  expect(nodesOf([left, right])).toHaveLength(200_002);
  const [other] = withLeaves([left], (leaf) => input(leaf.kind === "input" ? 1 - leaf.index : 0, "float32"));
  expect(nodesOf([other as Expression])).toHaveLength(100_002);
});
