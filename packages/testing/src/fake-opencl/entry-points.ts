/** The entry points that the binding resolves, with the OpenCL version of each, from the native layer's list. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

/** OpenCL versions that the fake library can report. */
export type FakeVersion = "1.1" | "1.2" | "2.0" | "2.1" | "2.2" | "3.0";

// The package contains its native sources, so this works with the sources and with the installed package.
const packageFolder = path.dirname(createRequire(import.meta.url).resolve("@cl/core/package.json"));

/** Returns the names of the entry points with their versions. */
export async function entryPoints(): Promise<ReadonlyMap<string, string>> {
  const list = await readFile(path.join(packageFolder, "native/driver/entry_points.h"), "utf8");
  return new Map(Array.from(list.matchAll(/X\((cl\w+), "([\d.]+)"\)/g), ([, name = "", since = ""]) => [name, since]));
}

/** Returns the names of the entry points that are newer than a version. */
export async function entryPointsAfter(version: FakeVersion): Promise<string[]> {
  return Array.from(await entryPoints())
    .filter(([, since]) => Number(since) > Number(version))
    .map(([name]) => name);
}
