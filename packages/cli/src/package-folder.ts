/** Where this package is. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The package's folder, with a separator at the end. This module stands as deep in src/ as what becomes of it in dist/. */
export const packageFolder: string = fileURLToPath(new URL("..", import.meta.url));

/** The package's version. */
export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(`${packageFolder}package.json`, "utf8")) as { version: string };
  return manifest.version;
}
