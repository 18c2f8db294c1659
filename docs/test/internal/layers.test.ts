/** The README's picture and table of the packages say what their dependencies are. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const repository = new URL("../../../", import.meta.url);
const section = (readFileSync(new URL("README.md", repository), "utf8").split("## The layers\n")[1] as string).split(
  "\n## ",
)[0] as string;

/** The packages that each published package depends on. */
const built = new Map<string, readonly string[]>();
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
  built.set(
    name,
    Object.keys(dependencies).filter((dependency) => dependency.startsWith("@cl/")),
  );
}

test("each line of the picture is built on lower lines only", () => {
  const picture = /^```\n([^]*?)^```$/m.exec(section)?.[1] as string;
  const lines = picture.split("\n").map((line) => [...(line.match(/@cl\/[a-z]+/g) ?? [])]);
  expect(lines.flat().toSorted()).toEqual([...built.keys()].toSorted());
  const lineOf = (name: string): number => lines.findIndex((names) => names.includes(name));
  const upward = [...built].flatMap(([name, dependencies]) =>
    dependencies
      .filter((dependency) => lineOf(dependency) <= lineOf(name))
      .map((dependency) => `${name} → ${dependency}`),
  );
  expect(upward).toEqual([]);
});

test("the table names what each package is built on", () => {
  const rows = [...section.matchAll(/^\| \[(@cl\/[a-z]+)\]\([^)]+\) +\| ([^|]*)\|/gm)];
  const said = rows.map(([, name, on = ""]) => [name, (on.match(/[a-z]+/g) ?? []).toSorted()]);
  const short = (names: readonly string[]): string[] => names.map((name) => name.replace("@cl/", "")).toSorted();
  expect(new Map(said as [string, string[]][])).toEqual(new Map([...built].map(([name, on]) => [name, short(on)])));
});
