/** A quick run (see CONTRIBUTING.md) tries every exported function and every method of an exported class. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

import { packages } from "./support/packages.js";

const folder = fileURLToPath(new URL("../../../packages/", import.meta.url));
const texts = readdirSync(folder)
  .map((name) => join(folder, name, "test"))
  .filter((tests) => existsSync(tests))
  .flatMap((tests) => readdirSync(tests, { recursive: true, encoding: "utf8" }).map((file) => join(tests, file)))
  .filter((file) => /\.(?:ts|mjs)$/u.test(file) && !file.includes("/test/internal/"))
  .map((file) => readFileSync(file, "utf8"))
  .filter((text) => !text.includes("@module-tag"));
const named = new Set(texts.flatMap((text) => text.match(/\w+/gu) ?? []));

/** Base classes, what they, `JSON.stringify` and vitest call, and classes of what is read from a property or returned. */
const indirect: ReadonlySet<string> = new Set([
  "ArgumentBase",
  "BlockPool",
  "FourierTransforms",
  "GridPart",
  "NpyFile",
  "NpyWriter",
  "ParameterTable",
  "ReadOnlyArgument",
  "Reading",
  "SpecialFunctions",
  "newTags",
  "onTestRunEnd",
  "setParameters",
  "targetOf",
  "toJSON",
  "wrapBlock",
  // The report of characterize calls these.
  "formatQuantity",
  "formatSpread",
]);

/** The names of a module's functions and classes, and of the methods of its classes. Queries are tested as tables. */
function namesOf(exported: object): readonly string[] {
  const entries = Object.entries(exported as Readonly<Record<string, unknown>>);
  return entries.flatMap(([name, value]) => {
    if (typeof value !== "function") return [];
    const { prototype = {} } = value as { readonly prototype?: object };
    const members = Object.entries(Object.getOwnPropertyDescriptors(prototype));
    return [name, ...members.filter(([, member]) => typeof member.value === "function").map(([member]) => member)];
  });
}

describe.each(Object.entries(packages))("@cl/%s", (_, load) => {
  test("has tests of every feature in a quick run", async () => {
    expect(namesOf(await load()).filter((name) => !named.has(name) && !indirect.has(name))).toEqual([]);
  });
});
