/** Reads OpenCL C as far as finding out what in it is a comment, a string, or code. Takes time in proportion to the text. */

/** Text without comments, with empty strings, in joined lines; undefined where the types' reader would not read it. */
export function codeOf(source: string): string | undefined {
  const text = source.replaceAll("\r\n", "\n").replaceAll("\\\n", "");
  // Digraphs and trigraphs may be any of the characters that are looked for here.
  if (/\r|\?\?|%:/.test(text)) return undefined;
  let readable = true;
  const code = text.replace(tokens, (token) => {
    if (token.startsWith("//")) return "";
    // As the reader of types has it: a comment is one blank, with however many lines in it.
    if (token.startsWith("/*")) {
      readable &&= token.length >= 4 && token.endsWith("*/");
      return " ";
    }
    readable &&= token.length >= 2 && token.at(-1) === token[0];
    return '""';
  });
  return readable && !code.includes("\\") ? code : undefined;
}

/** `source` with the inside of its comments and strings made blank: what is left stands where it stood. */
export function withoutComments(source: string): string {
  return source.replace(tokens, (token) => (token.startsWith("/") ? token.replace(/[^\n]/g, " ") : token));
}

/** Comments and literals; those that are not closed go to the end of what they can be. */
const tokens = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^\n])*"?|'(?:[^'\\\n]|\\[^\n])*'?/g;
