/** Comments and literals: what every reader of OpenCL C must tell from code. */

/** A comment. One that is not closed ends with the text; a backslash before the line break continues a line. */
export const commentPattern: RegExp = /\/\/(?:\\[^\S\n]*\n|[^\n])*|\/\*[\s\S]*?(?:\*\/|$)/;

/** A string, a character or the name of a header in angle brackets. One that is not closed ends with the line. */
export const literalPattern: RegExp =
  /"(?:\\(?:\r\n|[\s\S])|[^"\\\n])*"?|'(?:\\(?:\r\n|[\s\S])|[^'\\\n])*'?|<(?<=(?:#|%:)[^\S\n]*include[^\S\n]*<)[^>\n]*>/;

const commentsAndLiterals = new RegExp(`${commentPattern.source}|${literalPattern.source}`, "g");

/** Returns a text with something else in place of its comments and, if `literal` is given, of its literals. */
export function replaceComments(
  text: string,
  comment: (comment: string) => string,
  literal: (literal: string) => string = (same) => same,
): string {
  return text.replace(commentsAndLiterals, (found) => (found.startsWith("/") ? comment(found) : literal(found)));
}

/** Returns a text with blanks in place of its comments, so that everything else keeps its line and column. */
export function withoutComments(text: string): string {
  return text.includes("/") ? replaceComments(text, (comment) => comment.replace(/[^\n]/g, " ")) : text;
}
