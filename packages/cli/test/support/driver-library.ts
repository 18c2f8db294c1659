/** Libraries that misbehave as soon as they are loaded, in a folder of drivers. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Bodies of the function that runs when the library is loaded. */
const bodies = {
  aborts: 'fputs("no such device\\n", stderr); abort();',
  hangs: "for (;;) pause();",
} as const;

/** A new folder as the loader reads it, with a file for each name: what it holds, or a library that does this. */
export function vendorsFolder(
  files: Readonly<Record<string, string | { readonly does: keyof typeof bodies }>>,
): string {
  const folder = mkdtempSync(join(tmpdir(), "clkit-vendors-"));
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === "string" ? content : `${build(folder, content.does)}\n`;
    writeFileSync(join(folder, `${name}.icd`), text);
  }
  return folder;
}

function build(folder: string, name: keyof typeof bodies): string {
  const library = join(folder, `lib${name}.so`);
  const source = `#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((constructor)) static void load() { ${bodies[name]} }
`;
  execFileSync(process.env["CXX"] ?? "g++", ["-shared", "-fPIC", "-x", "c++", "-", "-o", library], { input: source });
  return library;
}
