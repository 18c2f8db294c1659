/** Generates the module of a source. */
import { basename } from "node:path";

import { readSource } from "../../read-source.js";
import { displayPath } from "./find-sources.js";
import { inlineIncludes } from "./inline-includes.js";
import { moduleText, type ModuleText } from "./module-text.js";

export interface GenerateOptions {
  /** Macros before the source: `NAME` or `NAME=VALUE`, as in a compiler's `-D`. */
  readonly defines: readonly string[];
  /** Whether to inline included files. */
  readonly inline: boolean;
  /** Folders to search for included files that are not next to the including file. */
  readonly folders: readonly string[];
  /** Whether to derive the types from the signatures, whatever the length of the source. */
  readonly signatures: boolean;
}

/** A module, and the other files that it depends on. */
export interface GeneratedModule extends ModuleText {
  readonly files: readonly string[];
  /** Files that are not UTF-8 and were read as Latin-1. */
  readonly latin1: readonly string[];
}

export async function generateModule(path: string, options: GenerateOptions): Promise<GeneratedModule> {
  const latin1: string[] = [];
  const read = async (file: string): Promise<string | undefined> => {
    const loaded = await readSource(file);
    if (loaded === undefined) return undefined;
    if (loaded.text.includes("\0")) {
      throw new Error(`${displayPath(file)} must not contain a NUL character, which ends a source in OpenCL`);
    }
    if (!loaded.isUtf8 && !latin1.includes(file)) latin1.push(file);
    return loaded.text;
  };
  const text = await read(path);
  if (text === undefined) throw new Error(`the file ${displayPath(path)} does not exist`);
  const { source, files } = options.inline
    ? await inlineIncludes(path, text, options.folders, read)
    : { source: text, files: [] };
  if (source.trim() === "") throw new Error(`${displayPath(path)} is empty`);
  const macros = options.defines.map(defineLine).join("");
  return {
    ...moduleText({ file: basename(path), source: macros + source, signatures: options.signatures }),
    files,
    latin1,
  };
}

/** Returns the preprocessor line of a `-D`. */
export function defineLine(define: string): string {
  const [, name, value = "1"] = /^([A-Za-z_]\w*(?:\([\w\s,.]*\))?)(?:=(.*))?$/s.exec(define) ?? [];
  if (name === undefined || /[\n\r\0]/.test(value)) {
    throw new Error(`--define must be NAME or NAME=VALUE in one line, received ${JSON.stringify(define)}`);
  }
  return `#define ${name} ${value}`.trimEnd() + "\n";
}
