/** Build options: how they may be given, and how they are written for a driver. */
import { checkString, typeError } from "@cl/base";

import { normalizeOptions } from "../cache/build-options.js";

/**
 * Options for a compiler or linker: one string, split into words as a shell would, or a list with one word each.
 *
 * @example
 * ```ts
 * await program.build({ options: "-cl-mad-enable -D 'TYPE=unsigned int'" });
 * await program.build({ options: ["-cl-mad-enable", "-DTYPE=unsigned int"] });
 * ```
 */
export type CompilerOptions = string | readonly string[];

/**
 * The words of some options, followed by those of the environment's `CL_BUILD_OPTIONS`. A flag and its value
 * (`-D NAME`, `-I folder`) become one word.
 */
export function readOptions(
  options: CompilerOptions | undefined,
  environment: string | undefined = process.env["CL_BUILD_OPTIONS"],
): string[] {
  const words =
    options === undefined ? [] : typeof options === "string" ? splitWords(options, "options") : list(options);
  if (environment !== undefined) words.push(...splitWords(environment, "CL_BUILD_OPTIONS"));
  return normalizeOptions(words);
}

/** The words as one string for the driver. Where a word has blanks, its value is put into double quotes. */
export function writeOptions(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

/** Splits as a shell would: blanks separate, quotes and backslashes hold together. */
export function splitWords(text: string, name: string): string[] {
  checkOption(text, name);
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (quote !== "") {
      if (character === quote) quote = "";
      else if (character === "\\" && quote === '"' && /["\\]/.test(text[i + 1] ?? "")) word += text[++i] as string;
      else word += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= "";
    } else if (character === "\\" && /[\s"'\\]/.test(text[i + 1] ?? "")) {
      // Any other backslash is one: folders of Windows have them.
      word = (word ?? "") + (text[++i] as string);
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + character;
    }
  }
  if (quote !== "") throw typeError(name, `options whose quotes (${quote}) are closed`, text);
  if (word !== undefined) words.push(word);
  return words;
}

function list(options: readonly string[]): string[] {
  if (!Array.isArray(options)) throw typeError("options", "a string or an array of strings", options);
  return options.map((option, i) => checkOption(option, `options[${i}]`));
}

function checkOption(option: unknown, name: string): string {
  const text = checkString(option, name);
  // A NUL would end the options, and drivers disagree about what a new line does.
  if (/[\0\n\r]/.test(text)) throw typeError(name, "a string without NUL characters and line breaks", option);
  return text;
}

function quoted(word: string): string {
  const escaped = word.replaceAll('"', '\\"');
  if (!/\s/.test(word)) return escaped;
  // The quotes go around the value alone: PoCL does not know a flag that begins with one.
  const [, flag = "", value = ""] = /^(-D\w+=|-[DIU]|)(.*)$/.exec(escaped) ?? [];
  return `${flag}"${value}"`;
}
