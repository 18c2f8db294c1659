// The modules of the API reference: what the packages export that have a guide in docs/README.md, in its order.
import { readFileSync } from "node:fs";
import { posix } from "node:path";

const repository = new URL("../../", import.meta.url);
const read = (/** @type {string} */ path) => readFileSync(new URL(path, repository), "utf8");

/** Names of the packages without `@cl/`. */
export const packages = [...read("docs/README.md").matchAll(/^## Guide to @cl\/(\S+)$/gm)].map(([, name = ""]) => name);

/** Names of the modules without `@cl/`, such as `tools/testing`, and their sources relative to the repository's root. */
export const entryPoints = packages.flatMap((name) => {
  /** @type {{ exports: Record<string, string | { types: string }> }} */
  const { exports } = JSON.parse(read(`packages/${name}/package.json`));
  return Object.entries(exports).flatMap(([path, target]) => {
    // Other packages of this repository import ./internal, and tools read ./package.json.
    if (typeof target === "string" || path === "./internal") return [];
    const source = target.types.replace(/^\.\/dist\/(.+)\.d\.ts$/, `packages/${name}/src/$1.ts`);
    return [{ name: posix.join(name, path), source }];
  });
});
