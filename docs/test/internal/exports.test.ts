/** Every function, class and constant that a module exports is named in the guide or in the package's README. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { packages } from "./support/packages.js";

const repository = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, repository), "utf8");
const guide = readdirSync(new URL("docs/", repository))
  .filter((file) => file.endsWith(".md"))
  .map((file) => read(`docs/${file}`))
  .join("\n");

describe.each(Object.entries(packages))("@cl/%s", (name, load) => {
  test("documents every export in the guide or its README", async () => {
    const text = guide + read(`packages/${name.split("/", 1)[0]}/README.md`);
    const named = new Set(text.match(/\w+/g));
    // The guide names the asynchronous function of each pair.
    const missing = Object.keys(await load()).filter((exported) => !named.has(exported.replace(/Sync$/, "")));
    expect(missing).toEqual([]);
  });
});
