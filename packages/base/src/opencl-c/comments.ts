/** Patterns of comments and literals in OpenCL C, and functions that replace them. */

/**
 * Matches a comment. An unclosed one extends to the end of the text; a backslash before the line break continues a
 * line.
 */
export const commentPattern: RegExp = /\/\/(?:\\[^\S\n]*\n|[^\n])*|\/\*[\s\S]*?(?:\*\/|$)/;

/** Matches a string, character or header name in angle brackets. An unclosed one extends to the end of the line. */
export const literalPattern: RegExp =
  /"(?:\\(?:\r\n|[\s\S])|[^"\\\n])*"?|'(?:\\(?:\r\n|[\s\S])|[^'\\\n])*'?|<(?<=(?:#|%:)[^\S\n]*include[^\S\n]*<)[^>\n]*>/;

const commentsAndLiterals = new RegExp(`${commentPattern.source}|${literalPattern.source}`, "g");

/** Returns a text in which comments and, if `literal` is given, literals are replaced. */
export function replaceComments(
  text: string,
  comment: (comment: string) => string,
  literal: (literal: string) => string = (same) => same,
): string {
  return text.replace(commentsAndLiterals, (found) => (found.startsWith("/") ? comment(found) : literal(found)));
}

/** Returns a text with its comments replaced by spaces, so that everything else keeps its line and column. */
export function withoutComments(text: string): string {
  return text.includes("/") ? replaceComments(text, (comment) => comment.replace(/[^\n]/g, " ")) : text;
}
