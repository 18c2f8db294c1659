/** Checks that docs/troubleshooting.md covers every error. */
import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

const repository = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, repository), "utf8");

test("docs/troubleshooting.md covers every error code and error class", () => {
  const page = read("docs/troubleshooting.md");
  const sources = ["base", "core", "tools", "characterize", "launcher", "mpi", "array"].flatMap((name) => {
    const folder = `packages/${name}/src/`;
    const files = readdirSync(new URL(folder, repository), { recursive: true, encoding: "utf8" });
    return files.filter((file) => file.endsWith(".ts")).map((file) => read(folder + file.replaceAll("\\", "/")));
  });
  const codes = sources.flatMap((text) => text.match(/"ERR_[A-Z_]+"/g) ?? []).map((code) => code.slice(1, -1));
  const classes = sources.flatMap((text) => [...text.matchAll(/^export class (\w+Error)\b/gm)].map(([, name]) => name));
  const documented = read("docs/errors.md").match(/\b(ERR|CL)_[A-Z_]{5,}\b/g) ?? [];
  expect(codes.length > 10 && classes.length > 5 && documented.length > 10).toBe(true);
  const names = new Set([...codes, ...classes, ...documented]);
  expect([...names].filter((name) => name !== undefined && !page.includes(name))).toEqual([]);
});
