/** The README's diagram and table of the packages match their dependencies. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const repository = new URL("../../../", import.meta.url);
const section = (readFileSync(new URL("README.md", repository), "utf8").split("## The layers\n")[1] as string).split(
  "\n## ",
)[0] as string;

/** Dependencies on @cl packages, by published package. */
const dependenciesOf = new Map<string, readonly string[]>();
for (const folder of readdirSync(new URL("packages/", repository))) {
  const file = new URL(`packages/${folder}/package.json`, repository);
  if (!existsSync(file)) continue;
  const {
    name,
    private: internal,
    dependencies = {},
  } = JSON.parse(readFileSync(file, "utf8")) as {
    name: string;
    private?: boolean;
    dependencies?: Record<string, string>;
  };
  if (internal === true) continue;
  dependenciesOf.set(
    name,
    Object.keys(dependencies).filter((dependency) => dependency.startsWith("@cl/")),
  );
}

test("packages in the diagram depend only on lower lines", () => {
  const picture = /^```\n([^]*?)^```$/m.exec(section)?.[1] as string;
  const lines = picture.split("\n").map((line) => [...(line.match(/@cl\/[a-z0-9-]+/g) ?? [])]);
  expect(lines.flat().toSorted()).toEqual([...dependenciesOf.keys()].toSorted());
  const lineOf = (name: string): number => lines.findIndex((names) => names.includes(name));
  const upward = [...dependenciesOf].flatMap(([name, dependencies]) =>
    dependencies
      .filter((dependency) => lineOf(dependency) <= lineOf(name))
      .map((dependency) => `${name} → ${dependency}`),
  );
  expect(upward).toEqual([]);
});

test("the table lists each package's dependencies", () => {
  const rows = [...section.matchAll(/^\| \[(@cl\/[a-z0-9-]+)\]\([^)]+\) +\| ([^|]*)\|/gm)];
  const listed = rows.map(([, name, on = ""]) => [name, (on.match(/[a-z]+/g) ?? []).toSorted()]);
  const short = (names: readonly string[]): string[] => names.map((name) => name.replace("@cl/", "")).toSorted();
  expect(new Map(listed as [string, string[]][])).toEqual(
    new Map([...dependenciesOf].map(([name, on]) => [name, short(on)])),
  );
});
