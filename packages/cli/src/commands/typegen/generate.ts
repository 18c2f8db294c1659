/** From a source's file to its module's text. */
import { basename } from "node:path";

import { readSource } from "../../read-source.js";
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
  /** Those of all its files that were read as Latin-1, because they are not UTF-8. */
  readonly latin1: readonly string[];
}

/** The module of a file. */
export async function generateModule(path: string, options: GenerateOptions): Promise<GeneratedModule> {
  const latin1: string[] = [];
  const read = async (file: string): Promise<string | undefined> => {
    const found = await readSource(file);
    if (found === undefined) return undefined;
    if (found.text.includes("\0")) {
      throw new Error(`${shown(file)} has a NUL character, which ends a source for OpenCL`);
    }
    if (!found.isUtf8 && !latin1.includes(file)) latin1.push(file);
    return found.text;
  };
  const text = await read(path);
  if (text === undefined) throw new Error(`there is no file ${shown(path)}`);
  const { source, files } = options.inline
    ? await inlineIncludes(path, text, options.folders, read)
    : { source: text, files: [] };
  if (source.trim() === "") throw new Error(`${shown(path)} is empty`);
  const macros = options.defines.map(defineLine).join("");
  return {
    ...moduleText({ file: basename(path), source: macros + source, signatures: options.signatures }),
    files,
    latin1,
  };
}

/** The preprocessor line of a `-D`. */
export function defineLine(define: string): string {
  const [, name, value = "1"] = /^([A-Za-z_]\w*(?:\([\w\s,.]*\))?)(?:=(.*))?$/s.exec(define) ?? [];
  if (name === undefined || /[\n\r\0]/.test(value)) {
    throw new Error(`--define takes NAME or NAME=VALUE in one line, received ${JSON.stringify(define)}`);
  }
  return `#define ${name} ${value}`.trimEnd() + "\n";
}
