/** Derives the descriptions of pages, which search engines and link previews show. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { repository } from "./pages.js";

/** Returns the first paragraph of a page as plain text, up to the last sentence that ends within 200 characters. */
export function describe(file: string): string {
  const text = readFileSync(join(repository, file), "utf8")
    .replace(/^---\n.*?\n---\n/s, "")
    .replace(/^(`{3,}).*?^\1/gms, "");
  const paragraph = text.split(/\n\s*\n/).find((part) => /^\s*(\*\*)?[`[@A-Za-z]/.test(part)) ?? "";
  const plain = paragraph
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\\(?=[<>[\]|])|[`*]/g, "")
    // VitePress does not escape quotes in attributes.
    .replaceAll('"', "'")
    .replace(/\s+/g, " ")
    .replace(/:$/, ".")
    .trim();
  if (plain.length <= 200) return plain;
  const sentences = plain.slice(0, 200).replace(/[^.]*$/, "");
  return sentences === "" ? `${plain.slice(0, 199).replace(/\s\S*$/, "")} …` : sentences;
}
