/** Checks the documentation's links. Internal, because the packed packages lack many of the targets. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

const repository = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, repository), "utf8");
const list = (folder: string): string[] => readdirSync(new URL(`${folder}/`, repository));

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "bench/README.md",
  "bench/results/README.md",
  ...list("packages").map((name) => `packages/${name}/README.md`),
  ...list("docs").map((name) => `docs/${name}`),
  ...list("examples").map((name) => (name === "README.md" ? "examples/README.md" : `examples/${name}/README.md`)),
].filter((path) => path.endsWith(".md"));

test("the table of examples lists exactly the examples", () => {
  const linked = [...read("examples/README.md").matchAll(/^\| \[(.+)\]\((.+)\)/gm)];
  expect(linked.map(([, name]) => name)).toEqual(linked.map(([, , folder]) => folder));
  const folders = list("examples").filter((name) => name !== "README.md");
  expect(new Set(linked.map(([, name]) => name))).toEqual(new Set(folders));
  expect(linked).toHaveLength(folders.length);
});

test("every relative link in the documentation has a target", () => {
  const broken = pages.flatMap((path) =>
    [...read(path).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
      const [file = "", anchor] = link.split("#");
      const target = new URL(file, new URL(path, repository));
      if (!existsSync(target)) return [`${path}: ${link}`];
      if (anchor === undefined) return [];
      const headings = [...readFileSync(target, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) => anchorOf(text));
      return headings.includes(anchor) ? [] : [`${path}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

/** Returns the anchor of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}
