/** Tests import support code only from their package and `@cl/testing`. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const repository = new URL("../../../", import.meta.url);
const cwd = repository.pathname;

test("no test imports from another package's test folder", () => {
  const folders = readdirSync(new URL("packages/", repository)).map((name) => `packages/${name}/test`);
  const files = [...folders, "docs/test", "examples", "bench"].flatMap(filesIn);
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap(importsOfOtherTests)).toEqual([]);
});

/** Returns the source files below a folder, without dependencies and build output. */
function filesIn(folder: string): readonly string[] {
  if (!existsSync(new URL(folder, repository))) return [];
  return readdirSync(new URL(folder, repository), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return /^(?:node_modules|dist)$/.test(entry.name) ? [] : filesIn(path);
    return /\.m?ts$|\.mjs$/.test(path) ? [path] : [];
  });
}

function importsOfOtherTests(file: string): readonly string[] {
  return foreign(file, readFileSync(new URL(file, repository), "utf8"));
}

function foreign(file: string, text: string): readonly string[] {
  const own = testFolder(file);
  return [...text.matchAll(/(?:\bfrom\s|\bimport\s*\(?)\s*"(\.[^"]+)"/g)]
    .map(([, specifier = ""]) => testFolder(new URL(specifier, new URL(file, repository)).pathname.slice(cwd.length)))
    .filter((folder) => folder !== undefined && folder !== own)
    .map((folder) => `${file}: ${folder}`);
}

/** Returns the test folder that contains a file, or undefined. */
function testFolder(path: string): string | undefined {
  return /^(?:packages\/[^/]+|docs)\/test\//.exec(path)?.[0];
}
