/** Build options: parsing and formatting. */
import { checkString, typeError } from "@cl/base";

import { normalizeOptions } from "../cache/build-options.js";

/**
 * Options for a compiler or linker: a string, split like in a shell, or an array with one option per element.
 *
 * @example
 * ```ts
 * await program.build({ options: "-cl-mad-enable -D 'TYPE=unsigned int'" });
 * await program.build({ options: ["-cl-mad-enable", "-DTYPE=unsigned int"] });
 * ```
 */
export type CompilerOptions = string | readonly string[];

/**
 * Returns options as a list, followed by those of the environment variable `CL_BUILD_OPTIONS`. A flag and its value
 * (`-D NAME`, `-I folder`) are joined into one element.
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

/** Returns options as one string for the driver. Values with whitespace are put in double quotes. */
export function writeOptions(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

/** Splits options at whitespace, with quotes and backslashes like in a shell. */
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
      // Other backslashes are literal, for Windows paths.
      word = (word ?? "") + (text[++i] as string);
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + character;
    }
  }
  if (quote !== "") throw typeError(name, `options with closed quotes (${quote} is not closed)`, text);
  if (word !== undefined) words.push(word);
  return words;
}

function list(options: readonly string[]): string[] {
  if (!Array.isArray(options)) throw typeError("options", "a string or an array of strings", options);
  return options.map((option, i) => checkOption(option, `options[${i}]`));
}

function checkOption(option: unknown, name: string): string {
  const text = checkString(option, name);
  // A NUL would end the options, and drivers treat line breaks differently.
  if (/[\0\n\r]/.test(text)) throw typeError(name, "a string without NUL characters and line breaks", option);
  return text;
}

function quoted(word: string): string {
  const escaped = word.replaceAll('"', '\\"');
  if (!/\s/.test(word)) return escaped;
  // Quote only the value: PoCL does not accept a quoted flag.
  const [, flag = "", value = ""] = /^(-D\w+=|-[DIU]|)(.*)$/.exec(escaped) ?? [];
  return `${flag}"${value}"`;
}
