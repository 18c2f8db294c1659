/** The entry points that the binding resolves, each with the version that brought it: the native layer's own list. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

/** Versions that the fake library can claim. */
export type FakeVersion = "1.1" | "1.2" | "2.0" | "2.1" | "2.2" | "3.0";

// The package ships its native sources, so this works on the sources and on the installed package alike.
const packageFolder = path.dirname(createRequire(import.meta.url).resolve("@cl/core/package.json"));

/** Entry point names, each with its version. */
export async function entryPoints(): Promise<ReadonlyMap<string, string>> {
  const list = await readFile(path.join(packageFolder, "native/driver/entry_points.h"), "utf8");
  return new Map(Array.from(list.matchAll(/X\((cl\w+), "([\d.]+)"\)/g), ([, name = "", since = ""]) => [name, since]));
}

/** Names of the entry points that a runtime of this version cannot have. */
export async function entryPointsAfter(version: FakeVersion): Promise<string[]> {
  return Array.from(await entryPoints())
    .filter(([, since]) => Number(since) > Number(version))
    .map(([name]) => name);
}
