/** Checks that each guarantee in docs/safety.md names existing tests. */
import { existsSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

const repository = new URL("../../../", import.meta.url);
const page = readFileSync(new URL("docs/safety.md", repository), "utf8");
const [, guaranteed = "", rest = ""] = /## What is guaranteed\n(.*)\n### Driver defects\n(.*)/s.exec(page) ?? [];
const testFiles = /`(packages\/[\w/.-]+\.test\.ts)`/g;

test("each guarantee names a test", () => {
  const paragraphs = guaranteed.split("\n\n").filter((text) => text.startsWith("**"));
  expect(paragraphs.length).toBeGreaterThan(10);
  expect(paragraphs.filter((text) => text.match(testFiles) === null)).toEqual([]);
});

test("each driver defect names a test", () => {
  const rows = rest.split("\n").filter((line) => line.startsWith("| ") && !/^\| (driver|-)/.test(line));
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter((row) => row.match(testFiles) === null)).toEqual([]);
});

test("the tests that the page names exist", () => {
  const files = [...page.matchAll(testFiles)].map(([, file = ""]) => file);
  expect(files.filter((file) => !existsSync(new URL(file, repository)))).toEqual([]);
});
