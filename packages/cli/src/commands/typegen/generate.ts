/** From a source's file to its module's text. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { TextDecoder } from "node:util";

import { shown } from "./find-sources.js";
import { inlineIncludes } from "./inline-includes.js";
import { moduleText, type ModuleText } from "./module-text.js";

/** How modules are made. */
export interface GenerateOptions {
  /** `NAME` or `NAME=VALUE`, as a compiler's `-D` has it: macros in front of the source. */
  readonly defines: readonly string[];
  /** True puts included files into the source. */
  readonly inline: boolean;
  /** Where those are sought that do not lie beside the including file. */
  readonly folders: readonly string[];
  /** True reads the types from the signatures, however short the source is. */
  readonly signatures: boolean;
}

/** A module, and the files besides the source that it depends on. */
export interface GeneratedModule extends ModuleText {
  readonly files: readonly string[];
}

/** The module of a file. */
export async function generateModule(path: string, options: GenerateOptions): Promise<GeneratedModule> {
  const text = await readSource(path);
  if (text === undefined) throw new Error(`there is no file ${shown(path)}`);
  const { source, files } = options.inline
    ? await inlineIncludes(path, text, options.folders, readSource)
    : { source: text, files: [] };
  if (source.trim() === "") throw new Error(`${shown(path)} is empty`);
  const macros = options.defines.map(defineLine).join("");
  return { ...moduleText({ file: basename(path), source: macros + source, signatures: options.signatures }), files };
}

/** The preprocessor line of a `-D`. */
export function defineLine(define: string): string {
  const [, name, value = "1"] = /^([A-Za-z_]\w*(?:\([\w\s,.]*\))?)(?:=(.*))?$/s.exec(define) ?? [];
  if (name === undefined || /[\n\r\0]/.test(value)) {
    throw new Error(`--define takes NAME or NAME=VALUE in one line, but ${JSON.stringify(define)} came`);
  }
  return `#define ${name} ${value}`.trimEnd() + "\n";
}

/** A file's text; undefined where there is none. What no compiler would take is a mistake. */
async function readSource(path: string): Promise<string | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EISDIR" || code === "ENOTDIR") return undefined;
    throw new Error(`${shown(path)} cannot be read: ${message}`, { cause: error });
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Error(`${shown(path)} is no text in UTF-8`, { cause: error });
  }
  if (text.includes("\0")) throw new Error(`${shown(path)} has a NUL character, which ends a source for OpenCL`);
  return text;
}
