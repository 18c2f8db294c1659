/** The entry points that the binding resolves, each with the version that brought it: the native layer's own list. */
import { readFile } from "node:fs/promises";

/** Versions that the fake library can claim. */
export type FakeVersion = "1.1" | "1.2" | "2.0" | "2.1" | "2.2" | "3.0";

/** Entry point names, each with its version. */
export async function entryPoints(): Promise<ReadonlyMap<string, string>> {
  const list = await readFile(new URL("../../native/entry_points.h", import.meta.url), "utf8");
  return new Map(Array.from(list.matchAll(/X\((cl\w+), "([\d.]+)"\)/g), ([, name = "", since = ""]) => [name, since]));
}

/** Names of the entry points that a runtime of this version cannot have. */
export async function entryPointsAfter(version: FakeVersion): Promise<string[]> {
  return Array.from(await entryPoints())
    .filter(([, since]) => Number(since) > Number(version))
    .map(([name]) => name);
}
