/** Reads OpenCL C as far as finding out what in it is a comment, a string, or code. Takes time in proportion to the text. */

/**
 * Returns `source` without comments, with empty strings, in joined lines; undefined where the reader of types would not
 * read it.
 */
export function codeOf(source: string): string | undefined {
  const text = source.replaceAll("\r\n", "\n").replaceAll("\\\n", "");
  // Trigraphs that change where a comment or a literal ends.
  if (text.includes("\r") || /\?\?\/|\?\?''/.test(source)) return undefined;
  let closed = true;
  const code = text.replace(tokens, (token) => {
    if (token.startsWith("//")) return "";
    // As the reader of types has it: a comment is one blank, with however many lines in it.
    if (token.startsWith("/*")) {
      closed &&= token.length >= 4 && token.endsWith("*/");
      return " ";
    }
    return '""';
  });
  // In code, backslashes, digraphs and trigraphs may be any of the characters that are looked for here.
  return closed && !/\\|%:|\?\?[=()!<>"-]/.test(code) ? code : undefined;
}

/** `source` with the inside of its comments and strings made blank: what is left stands where it stood. */
export function withoutComments(source: string): string {
  return source.replace(tokens, (token) => (token.startsWith("/") ? token.replace(/[^\n]/g, " ") : token));
}

/** Comments and literals; those that are not closed go to the end of what they can be. */
const tokens = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^\n])*"?|'(?:[^'\\\n]|\\[^\n])*'?/g;
