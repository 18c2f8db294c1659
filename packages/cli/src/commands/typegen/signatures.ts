/**
 * The part of a source that its types come from: declarations, macros and conditions, without comments and the bodies of
 * functions. The reader of types, which TypeScript runs, has limits, and this has fewer of everything that they are about.
 */
import { codeOf } from "./code-scan.js";

/** What the types of a source are read from; undefined if that is too much, or cannot be told. They are `string`'s then. */
export function signaturesOf(source: string): string | undefined {
  const code = codeOf(source);
  if (code === undefined) return undefined;
  const short = withoutBodies(code) ?? tidy(code.split("\n"));
  return canBeRead(short, 64_000) ? short : undefined;
}

/**
 * Whether TypeScript reads the types of a text. Its reader takes some 900 steps of each kind and 3600 over comments, strings
 * and divisions; well below that nothing depends on how they come to be counted. Each step is over all that is left, so that
 * time grows with steps times characters.
 */
export function canBeRead(text: string, mostCharacters = 24_000): boolean {
  return (
    text.length <= mostCharacters &&
    count(text, /[/"']/g) <= 1800 &&
    [/#/g, /kernel/g, /typedef/g, /__attribute/g].every((word) => count(text, word) <= 400) &&
    count(text, /\\\r?\n/g) <= 400
  );
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}

/** What in a body means something outside of it: to the reader of types each of these is what it looks like, anywhere. */
const meaning = /typedef|__attribute|(?<![\w$])(?:__)?kernel(?![\w$])/;

/** Code that ends before the list of an enumeration, whose values tell how many bits it has. */
const enumeration = /(?<![\w$])enum(?![\w$])[^;{}()]*$/;

/** Code with `{}` for each pair of outermost brackets; undefined if conditions make it uncertain what these are. */
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
      // Each branch must leave as many brackets open as were open before it.
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
  return depth > 0 || depths.length > 0 ? undefined : tidy(out);
}

/** What stands for a body: its directives, since macros hold in what follows; all of it if that may mean something. */
function body(inside: string, directives: readonly string[]): string {
  if (meaning.test(inside)) return `{${inside}}`;
  return directives.length === 0 ? "{}" : `{\n${directives.join("\n")}\n}`;
}

/** The lines that hold something, without the blanks around them. */
function tidy(lines: readonly string[]): string {
  const text = lines.join("\n").split("\n");
  return `${text
    .map((line) => line.replace(/[ \t]+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n")}\n`;
}
