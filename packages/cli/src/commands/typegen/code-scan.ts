/** Reads OpenCL C as far as finding out what in it is a comment, a string, or code. Takes time in proportion to the text. */
import { replaceComments } from "@cl/base";

/**
 * Returns `source` without comments, with empty strings, in joined lines; undefined where the reader of types would not
 * read it.
 */
export function codeOf(source: string): string | undefined {
  const text = source.replaceAll("\r\n", "\n").replaceAll("\\\n", "");
  // Trigraphs that change where a comment or a literal ends.
  if (text.includes("\r") || /\?\?\/|\?\?''/.test(source)) return undefined;
  let closed = true;
  const code = replaceComments(
    text,
    (comment) => {
      if (comment.startsWith("//")) return "";
      closed &&= comment.length >= 4 && comment.endsWith("*/");
      // As the reader of types has it: a comment is one blank, with however many lines in it.
      return " ";
    },
    (literal) => (literal.startsWith("<") ? "<>" : '""'),
  );
  // In code, backslashes, digraphs and trigraphs may be any of the characters that are looked for here.
  return closed && !/\\|%:|\?\?[=()!<>"-]/.test(code) ? code : undefined;
}
