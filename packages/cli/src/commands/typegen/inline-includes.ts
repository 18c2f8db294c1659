/** Replaces `#include "…"` lines with the included files, like the preprocessor. */
import { dirname, resolve } from "node:path";

import { withoutComments } from "@cl/base";

/** A source with its includes, and the included files. */
export interface InlinedSource {
  readonly source: string;
  readonly files: readonly string[];
}

/** Reads a file's text; `undefined` if it does not exist. */
export type ReadText = (path: string) => Promise<string | undefined>;

interface Inlining {
  readonly read: ReadText;
  readonly folders: readonly string[];
  readonly files: Set<string>;
  /**
   * Files with `#pragma once` seen so far. `"included"`: included outside of all conditions, so later includes are empty.
   * Whether a conditional include is compiled is unknown here, so a macro guards it.
   */
  readonly once: Map<string, "included" | { readonly macro: string }>;
  /** Characters of the result so far. Limited, since files that include others twice grow exponentially. */
  length: number;
}

const maxCharacters = 4 * 2 ** 20;
const maxDepth = 64;

/**
 * Returns the source of a file with its includes. Includes in `<…>` or through a macro are left to the compiler. Throws if a
 * quoted file is neither next to the including file nor in one of the folders.
 */
export async function inlineIncludes(
  path: string,
  text: string,
  folders: readonly string[],
  read: ReadText,
): Promise<InlinedSource> {
  const inlining: Inlining = { read, folders, files: new Set(), once: new Map(), length: 0 };
  const source = await inline(text, [resolve(path)], 0, inlining);
  return { source, files: [...inlining.files] };
}

/** Returns the text of the last file in a chain of includes. `conditions` is the number of enclosing conditions. */
async function inline(text: string, chain: readonly string[], conditions: number, inlining: Inlining): Promise<string> {
  const path = chain.at(-1) as string;
  const lines = text.split("\n");
  // Line breaks are kept, so that the lines of both texts correspond.
  const uncommented = withoutComments(text).split("\n");
  const out: string[] = [];
  let openConditions = conditions;
  for (const [i, line] of uncommented.entries()) {
    const [, directive = "", rest = ""] = /^\s*#\s*(\w+)(.*)$/.exec(line) ?? [];
    if (/^if(?:n?def)?$/.test(directive)) openConditions++;
    if (directive === "endif") openConditions--;
    const name = directive === "include" ? /^\s*"([^"\n]+)"/.exec(rest)?.[1] : undefined;
    if (name !== undefined) {
      out.push(await replacementOf(name, `line ${i + 1} of ${path}`, chain, openConditions, inlining));
    } else if (!(directive === "pragma" && /^\s*once\b/.test(rest) && chain.length > 1)) {
      out.push(lines[i] as string);
    }
  }
  return out.join("\n");
}

/** Returns the replacement of an `#include`. */
async function replacementOf(
  name: string,
  where: string,
  chain: readonly string[],
  conditions: number,
  inlining: Inlining,
): Promise<string> {
  const [file, text] = await find(name, where, chain.at(-1) as string, inlining);
  inlining.files.add(file);
  inlining.length += text.length;
  if (inlining.length > maxCharacters) throw new Error(`the includes of ${chain[0]} exceed 4 MiB`);
  const { once } = inlining;
  const state = once.get(file);
  const isOnce = /^[ \t]*#[ \t]*pragma[ \t]+once\b/m.test(withoutComments(text));
  if (isOnce && (state === "included" || chain.includes(file))) return "";
  if (chain.includes(file)) throw new Error(`${where} includes "${name}", which includes this file again`);
  if (chain.length > maxDepth) throw new Error(`${where} includes "${name}", more than ${maxDepth} levels deep`);
  if (isOnce && state === undefined && conditions === 0) {
    once.set(file, "included");
  } else if (isOnce) {
    const macro = (typeof state === "object" ? state.macro : undefined) ?? `CLKIT_ONCE_${once.size}`;
    once.set(file, { macro });
    const content = await inline(text, [...chain, file], conditions + 1, inlining);
    return `#ifndef ${macro}\n#define ${macro}\n${content}\n#endif`;
  }
  return inline(text, [...chain, file], conditions, inlining);
}

async function find(
  name: string,
  where: string,
  from: string,
  { read, folders }: Inlining,
): Promise<readonly [file: string, text: string]> {
  const candidates = [dirname(from), ...folders].map((folder) => resolve(folder, name));
  for (const candidate of candidates) {
    const text = await read(candidate);
    if (text !== undefined) return [candidate, text];
  }
  throw new Error(`${where} includes "${name}", which is not in ${[dirname(from), ...folders].join(", ")}`);
}
