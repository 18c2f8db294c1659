/** Imports, including `import type`, point downward between the folders of core and array, and files form no import cycles. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const repository = fileURLToPath(new URL("../../../", import.meta.url));

/** Returns the imports of each file in a package's src, as paths in src. */
function importsOf(name: string): ReadonlyMap<string, readonly string[]> {
  const root = path.join(repository, "packages", name, "src");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => /(?<!\.d)\.ts$/.test(file));
  return new Map(
    files.map((file) => {
      const text = readFileSync(path.join(root, file), "utf8");
      const imports = [...text.matchAll(/\b(?:from|import|module)\s*\(?\s*"(\.[^"]+)\.js"/g)]
        .map(([, specifier = ""]) => path.join(path.dirname(file), `${specifier}.ts`))
        .filter((imported) => files.includes(imported));
      return [file, [...new Set(imports)]];
    }),
  );
}

test.each(["core", "trace", "array"])("%s's folders import only lower folders", (name) => {
  const map = readFileSync(path.join(repository, "CONTRIBUTING.md"), "utf8").split(`## Folders of ${name}\n`)[1] ?? "";
  const layers = [...(/^```\n([^]*?)^```$/m.exec(map)?.[1] ?? "").matchAll(/^\S+/gm)].map(([layer]) => layer);
  const layerOf = (file: string): string => file.split(path.sep)[0] as string;
  const imports = importsOf(name);
  expect(layers.toSorted()).toEqual([...new Set([...imports.keys()].map(layerOf))].toSorted());
  const upward = [...imports].flatMap(([file, imported]) =>
    imported
      .filter((other) => layers.indexOf(layerOf(other)) < layers.indexOf(layerOf(file)))
      .map((other) => `${file} imports ${other}`),
  );
  expect(upward).toEqual([]);
});

/** Returns the groups of more than `size` files that import each other, directly or indirectly. */
function cyclesOf(imports: ReadonlyMap<string, readonly string[]>, size: number): readonly string[][] {
  const reached = new Map([...imports.keys()].map((file) => [file, reachedFrom(file, imports)]));
  const groups = [...reached].map(([file, others]) => [...others].filter((other) => reached.get(other)?.has(file)));
  const distinct = new Map(groups.map((group) => [group.toSorted().join(), group.toSorted()]));
  return [...distinct.values()].filter((group) => group.length > size);
}

function reachedFrom(file: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const other of imports.get(next) ?? []) {
      if (reached.has(other)) continue;
      reached.add(other);
      open.push(other);
    }
  }
  return reached;
}

test.each(["base", "core", "tools", "characterize", "trace", "launcher", "mpi", "cli"])(
  "%s has no import cycle of more than two files",
  (name) => {
    expect(cyclesOf(importsOf(name), 2)).toEqual([]);
  },
);

test("array has no import cycle", () => {
  expect(cyclesOf(importsOf("array"), 1)).toEqual([]);
});
