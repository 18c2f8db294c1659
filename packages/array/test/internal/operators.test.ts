/**
 * The tables of operators: each has a documentation page, a promotion rule, and code for every dtype that the rule
 * admits.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { operation } from "../../src/expression/build.js";
import { input } from "../../src/expression/expression.js";
import { binaryNames, operators, type OperatorName, parts, unary, unaryNames } from "../../src/expression/operators.js";
import { specialOfOne, specialOfThree, specialOfTwo, specialParts } from "../../src/expression/special-operators.js";
import { expressionHead, expressionStatements } from "../../src/kernels/expression-code.js";
import type { DTypeName } from "../../src/types/dtype-name.js";
import { promotions } from "../../src/types/promotions.js";

const page = readFileSync(fileURLToPath(new URL("../../../../docs/arrays-operators.md", import.meta.url)), "utf8");
const specialPage = readFileSync(fileURLToPath(new URL("../../../../docs/arrays-special.md", import.meta.url)), "utf8");
const types = Object.keys(promotions) as DTypeName[];

test.each([...unaryNames.keys(), ...binaryNames.keys()])("the documentation has %s", (name) => {
  expect(page).toMatch(new RegExp(`\\b${name}\\b`));
});

test.each(Object.keys({ ...specialOfOne, ...specialOfTwo, ...specialOfThree }))("the documentation has %s", (name) => {
  expect(specialPage).toMatch(new RegExp(`\\b${name}\\b`));
});

test.each(Object.keys(operators) as OperatorName[])("%s has code for each dtype that it accepts", (name) => {
  const count = operandsOf(name);
  let taken = 0;
  for (const type of types) {
    const terms = Array.from({ length: count }, (_, k) =>
      input(k, k === 1 && (name === "ldexp" || name === "rootn") ? "int16" : type),
    );
    let expression;
    try {
      expression = operation(name, terms, []);
    } catch (error) {
      expect(error, `${name} of ${type}`).toBeInstanceOf(TypeError);
      expect((error as Error).message).toContain(type);
      continue;
    }
    taken++;
    const text = expressionStatements([expression], (k) => `x${k}`).lines.join("\n");
    // Helper functions that the code calls for a dtype are defined.
    const head = expressionHead([expression]);
    const known = /^(convert|as|vload|vstore)_|^round_to_half$/;
    for (const [called] of text.matchAll(/\b[a-z]\w*_(?:float|double|half|u?(?:char|short|int|long))(?=\()/g)) {
      if (!known.test(called)) expect(head, `${name} of ${type}`).toContain(` ${called}(`);
    }
  }
  expect(taken).toBeGreaterThanOrEqual(parts[name as keyof typeof parts] === "complex" ? 12 : 3);
});

function operandsOf(name: OperatorName): number {
  if (name in unary || name in specialOfOne || (name in specialParts && name !== "zeta")) return 1;
  if (/^(modf|frexp|real|imag)/.test(name)) return 1;
  return name === "where" || name === "fma" || name in specialOfThree ? 3 : 2;
}
