import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const repository = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, repository), "utf8");

test("the first kernel of each README is the program in examples/first-kernel", () => {
  const program = read("examples/first-kernel/main.ts");
  for (const readme of ["README.md", "packages/core/README.md"]) {
    expect(/```ts\n(import [^]*?)```/.exec(read(readme))?.[1], readme).toBe(program);
  }
});
