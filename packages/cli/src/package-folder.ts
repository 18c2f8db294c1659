/** Location and version of this package. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The package's folder, with a trailing separator. Works from both src/ and dist/, in which this module is at the same depth. */
export const packageFolder: string = fileURLToPath(new URL("..", import.meta.url));

export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(`${packageFolder}package.json`, "utf8")) as { version: string };
  return manifest.version;
}
