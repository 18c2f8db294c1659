// Extracts the prose of a source file: comments and error messages. Blanks the rest, so that positions stay the same.
import { parseSync, Visitor } from "oxc-parser";

/** File name endings that {@link proseOf} supports. */
export const sourceEndings = [".ts", ".mjs", ".cc", ".h", ".cl"];

/** Matches functions and constructors whose string arguments are error messages. */
const errorMakers = /^(?:typeError|rangeError|wrong[A-Z]\w*|outOfRange|illegalConstructor|\w*Error)$/;

/**
 * Returns `text` with everything but prose replaced by spaces.
 *
 * @param {string} text
 * @param {string} file
 */
export function proseOf(text, file) {
  const ranges = /\.(?:ts|mjs)$/.test(file) ? ofScript(text, file) : ofC(text);
  let prose = "";
  let end = 0;
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (from < end) continue;
    prose += blank(text.slice(end, from)) + withoutCode(text.slice(from, to));
    end = to;
  }
  return prose + blank(text.slice(end));
}

/** @param {string} text */
const blank = (text) => text.replace(/[^\n]/g, " ");

/**
 * Blanks comment markers, code in backticks, code blocks and links.
 *
 * @param {string} text
 */
function withoutCode(text) {
  return text
    .replace(/```[^]*?```/g, blank)
    .replace(/`[^`\n]*`/g, blank)
    .replace(/\{@link [^}]*\}/g, blank)
    .replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/\/?)|\*\/$/gm, blank);
}

/**
 * @param {string} text
 * @param {string} file
 * @returns {[number, number][]}
 */
function ofScript(text, file) {
  const { program, comments } = parseSync(file, text);
  /** @type {[number, number][]} */
  const ranges = comments.map(({ start, end }) => [start, end]);
  /** @param {any} node */
  const addMessages = (node) => {
    const name = node.callee.name ?? node.callee.property?.name;
    if (!errorMakers.test(name ?? "")) return;
    for (const argument of node.arguments) {
      const isText = argument.type === "Literal" && typeof argument.value === "string";
      if (isText) ranges.push([argument.start, argument.end]);
      for (const quasi of argument.quasis ?? []) ranges.push([quasi.start, quasi.end]);
    }
  };
  new Visitor({ CallExpression: addMessages, NewExpression: addMessages }).visit(program);
  return ranges;
}

/**
 * @param {string} text C, C++ or OpenCL C
 * @returns {[number, number][]}
 */
function ofC(text) {
  return [...text.matchAll(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|\/\/[^\n]*|\/\*[^]*?\*\//g)]
    .filter(([match]) => match.startsWith("/"))
    .map(({ index, 0: match }) => [index, index + match.length]);
}
