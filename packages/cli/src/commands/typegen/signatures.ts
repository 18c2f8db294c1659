/**
 * Reduces a source to the part that its types depend on: declarations, macros and conditions, without comments and function
 * bodies. The type-level parser, which TypeScript runs, has limits that this part reaches later.
 */
import { codeOf } from "./code-scan.js";

/** Returns the reduced source; `undefined` if it is still too long or cannot be reduced. Its type is `string` then. */
export function signaturesOf(source: string): string | undefined {
  const code = codeOf(source);
  if (code === undefined) return undefined;
  const reduced = withoutBodies(code) ?? trimLines(code.split("\n"));
  return canBeRead(reduced, 64_000) ? reduced : undefined;
}

/**
 * Whether TypeScript can derive the types of a text. The type-level parser takes at most about 900 steps of each kind and 3600
 * over comments, strings and divisions; the limits here are well below these. Each step processes the remaining text, so time
 * grows with steps times characters.
 */
export function canBeRead(text: string, maxCharacters = 24_000): boolean {
  return (
    text.length <= maxCharacters &&
    count(text, /[/"']/g) <= 1800 &&
    [/#/g, /kernel/g, /typedef/g, /__attribute/g].every((pattern) => count(text, pattern) <= 400) &&
    count(text, /\\\r?\n/g) <= 400
  );
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Tokens that the type-level parser interprets anywhere, even in a body. */
const significant = /typedef|__attribute|(?<![\w$])(?:__)?kernel(?![\w$])/;

/** Code that ends before the list of an enumeration, whose values determine its size. */
const enumeration = /(?<![\w$])enum(?![\w$])[^;{}()]*$/;

/** Replaces each outermost pair of braces with `{}`; `undefined` if conditions make the pairs ambiguous. */
function withoutBodies(code: string): string | undefined {
  const out: string[] = [];
  let outside = "";
  let inside = "";
  let isEnumeration = false;
  let hidden: string[] = [];
  let depth = 0;
  const depths: number[] = [];
  for (const line of code.split("\n")) {
    const directive = /^\s*#\s*(\w*)/.exec(line)?.[1];
    if (directive !== undefined) {
      // Each branch must leave as many braces open as there were before it.
      if (directive.startsWith("if")) depths.push(depth);
      else if (/^(?:el|endif)/.test(directive) && depths.at(-1) !== depth) return undefined;
      if (directive === "endif") depths.pop();
      if (depth > 0) {
        hidden.push(line);
        inside += `\n${line}\n`;
      } else {
        out.push(outside, line);
        outside = "";
      }
      continue;
    }
    for (const part of line.split(/([{}])/)) {
      if (part === "}" && depth === 0) return undefined;
      if (part === "}" && --depth === 0) {
        outside += isEnumeration ? `{${inside}}` : body(inside, hidden);
        [inside, hidden] = ["", []];
      } else if (depth > 0) {
        inside += part;
      } else {
        outside += part === "{" ? "" : part;
      }
      if (part === "{" && depth++ === 0) isEnumeration = enumeration.test([...out.slice(-3), outside].join("\n"));
    }
    if (depth === 0) {
      out.push(outside);
      outside = "";
    } else {
      inside += "\n";
    }
  }
  return depth > 0 || depths.length > 0 ? undefined : trimLines(out);
}

/** Returns the replacement of a body: its directives, since macros apply to what follows; all of it if it may matter. */
function body(inside: string, directives: readonly string[]): string {
  if (significant.test(inside)) return `{${inside}}`;
  return directives.length === 0 ? "{}" : `{\n${directives.join("\n")}\n}`;
}

/** Removes empty lines and surrounding spaces. */
function trimLines(lines: readonly string[]): string {
  const text = lines.join("\n").split("\n");
  return `${text
    .map((line) => line.replace(/[ \t]+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n")}\n`;
}
