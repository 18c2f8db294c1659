/** The folders of the native layer: each includes only its own files and those of lower folders. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const native = fileURLToPath(new URL("../../native/", import.meta.url));
/** The lowest first; "." contains the addon, which may include all. */
const folders = ["driver", "napi", "objects", "profiling", "commands", "."];

test("no include of the native layer refers to a higher folder", () => {
  const sources = readdirSync(native, { recursive: true, encoding: "utf8" }).filter((path) => /\.(cc|h)$/.test(path));
  expect(new Set(sources.map((path) => dirname(path)))).toEqual(new Set(folders));
  const upward = sources.flatMap((path) =>
    [...readFileSync(join(native, path), "utf8").matchAll(/^#include "(.+)"$/gm)]
      .map(([, included = ""]) => included)
      // The list of each file's exports.
      .filter((included) => included !== "exports.h")
      .filter((included) => folders.indexOf(dirname(included)) > folders.indexOf(dirname(path)))
      .map((included) => `${path} includes ${included}`),
  );
  expect(upward).toEqual([]);
});
