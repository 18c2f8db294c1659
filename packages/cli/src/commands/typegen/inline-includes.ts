/** Puts the files that a source includes in the place of its `#include "…"` lines, as the preprocessor would. */
import { dirname, resolve } from "node:path";

import { withoutComments } from "@cl/base";

/** A source with what it includes, and the files that this came from. */
export interface InlinedSource {
  readonly source: string;
  readonly files: readonly string[];
}

/** Resolves to a file's text, or to undefined where there is none. */
export type ReadText = (path: string) => Promise<string | undefined>;

interface Inlining {
  readonly read: ReadText;
  readonly folders: readonly string[];
  readonly files: Set<string>;
  /**
   * Files with `#pragma once` that were met. `"there"`: outside of all conditions, so that they come no second time. Whether
   * a place in a condition is compiled is not known here; the preprocessor then has to remember it by a macro.
   */
  readonly once: Map<string, "there" | { readonly macro: string }>;
  /** Characters of the result so far: files that include others twice grow fast. */
  length: number;
}

const mostCharacters = 4 * 2 ** 20;
const deepest = 64;

/**
 * The source of a file with its includes. Those in `<…>`, and those whose name a macro makes, stay for the compiler; a file
 * in quotes that is neither beside the including one nor in a folder is a mistake.
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

/** The text of the last file of a chain of including ones. `conditions` counts those around the place. */
async function inline(text: string, chain: readonly string[], conditions: number, inlining: Inlining): Promise<string> {
  const path = chain.at(-1) as string;
  const lines = text.split("\n");
  // Lines stay lines there, so that what is found in the one is where it is in the other.
  const bare = withoutComments(text).split("\n");
  const out: string[] = [];
  let around = conditions;
  for (const [i, line] of bare.entries()) {
    const [, word = "", rest = ""] = /^\s*#\s*(\w+)(.*)$/.exec(line) ?? [];
    if (/^if(?:n?def)?$/.test(word)) around++;
    if (word === "endif") around--;
    const name = word === "include" ? /^\s*"([^"\n]+)"/.exec(rest)?.[1] : undefined;
    if (name !== undefined) {
      out.push(await included(name, `line ${i + 1} of ${path}`, chain, around, inlining));
    } else if (!(word === "pragma" && /^\s*once\b/.test(rest) && chain.length > 1)) {
      out.push(lines[i] as string);
    }
  }
  return out.join("\n");
}

/** What stands for an `#include`. */
async function included(
  name: string,
  where: string,
  chain: readonly string[],
  conditions: number,
  inlining: Inlining,
): Promise<string> {
  const [file, text] = await find(name, where, chain.at(-1) as string, inlining);
  inlining.files.add(file);
  inlining.length += text.length;
  if (inlining.length > mostCharacters) throw new Error(`the includes of ${chain[0]} come to more than 4 MiB`);
  const { once } = inlining;
  const state = once.get(file);
  const isOnce = /^[ \t]*#[ \t]*pragma[ \t]+once\b/m.test(withoutComments(text));
  if (isOnce && (state === "there" || chain.includes(file))) return "";
  if (chain.includes(file)) throw new Error(`${where} includes "${name}", which includes this again`);
  if (chain.length > deepest) throw new Error(`${where} includes "${name}", more than ${deepest} files deep`);
  if (isOnce && state === undefined && conditions === 0) {
    once.set(file, "there");
  } else if (isOnce) {
    const macro = (typeof state === "object" ? state.macro : undefined) ?? `CLKIT_ONCE_${once.size}`;
    once.set(file, { macro });
    const own = await inline(text, [...chain, file], conditions + 1, inlining);
    return `#ifndef ${macro}\n#define ${macro}\n${own}\n#endif`;
  }
  return inline(text, [...chain, file], conditions, inlining);
}

async function find(
  name: string,
  where: string,
  from: string,
  { read, folders }: Inlining,
): Promise<readonly [file: string, text: string]> {
  const places = [dirname(from), ...folders].map((folder) => resolve(folder, name));
  for (const place of places) {
    const text = await read(place);
    if (text !== undefined) return [place, text];
  }
  throw new Error(`${where} includes "${name}", which is not in ${[dirname(from), ...folders].join(", ")}`);
}
