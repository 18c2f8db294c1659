/** Driver libraries that misbehave when loaded. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Bodies of the function that runs on load. */
const bodies = {
  aborts: 'fputs("no such device\\n", stderr); abort();',
  hangs: "for (;;) pause();",
} as const;

/** Creates a folder for the OpenCL loader with a file per name: a given text, or a path to a misbehaving library. */
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
