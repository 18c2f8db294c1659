/** The TypeScript module of a source. */
import { createHash } from "node:crypto";

import { canBeRead, signaturesOf } from "./signatures.js";

/** What a module is made of. */
export interface ModuleParts {
  /** The file's name, without folders. */
  readonly file: string;
  /** OpenCL C, as it is to be compiled. */
  readonly source: string;
  /** True reads the types from the signatures, as of a long source. */
  readonly signatures: boolean;
}

/** A module's text, and where its types come from. */
export interface ModuleText {
  readonly text: string;
  /** `none`: no kernel's types can be known, so that all names and arguments are taken. */
  readonly types: "source" | "signatures" | "none";
}

/** How every module begins: what does not is not overwritten. */
export const moduleMark = "// Made by clkit typegen from ";

/** The module that exports a source as `source`, with a type from which TypeScript reads the kernels. */
export function moduleText({ file, source, signatures }: ModuleParts): ModuleText {
  const head = [
    `${moduleMark}${JSON.stringify(file)}: change that file, not this one.`,
    `// SHA-256 of the source: ${createHash("sha256").update(source).digest("hex")}`,
    "",
  ];
  const comment = `/** The source of ${commentable(file)}: give it to a \`Program\`, which then knows its kernels and their arguments. */`;
  if (!signatures && canBeRead(source)) {
    const lines = [...head, comment, `export const source = /* opencl */ ${template(source)} as const;`, ""];
    return { text: lines.join("\n"), types: "source" };
  }
  const short = signaturesOf(source);
  if (short === undefined) {
    const lines = [...head, comment, `export const source: string = /* opencl */ ${template(source)};`, ""];
    return { text: lines.join("\n"), types: "none" };
  }
  const lines = [
    ...head,
    "/** What the kernels' types are read from: the source without the bodies of its functions. */",
    `type Signatures = ${template(short)};`,
    "",
    comment,
    `export const source: Signatures = /* opencl */ ${template(source)} as string as Signatures;`,
    "",
  ];
  return { text: lines.join("\n"), types: "signatures" };
}

/**
 * A template literal whose value is the text: JavaScript would make one line break of CR and LF. The escaped line break at
 * its beginning is no part of the value; behind it every line of the source has a line of its own.
 */
function template(text: string): string {
  const escaped = text.replace(/[\\`]|\$(?=\{)/g, "\\$&").replaceAll("\r", "\\r");
  return `\`\\\n${escaped}\``;
}

function commentable(file: string): string {
  return JSON.stringify(file).replaceAll("*/", "*\\/");
}
