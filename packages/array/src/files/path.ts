/** Validation of path arguments. */
import { fileURLToPath } from "node:url";

import { rangeError, typeError } from "@cl/base";

/** A path or `file:` URL. */
export type Path = string | URL;

/** The path as text. */
export function checkPath(value: unknown, name = "path"): string {
  if (value instanceof URL) {
    if (value.protocol === "file:") return fileURLToPath(value);
    throw rangeError(name, "a file: URL", value.href);
  }
  if (typeof value !== "string") throw typeError(name, "a string or a URL", value);
  if (value === "" || value.includes("\0")) throw rangeError(name, "a path", value);
  return value;
}
