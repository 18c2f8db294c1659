/** A minimal scanner of OpenCL C that tells comments, strings and code apart, in linear time. */
import { replaceComments } from "@cl/base";

/**
 * Returns `source` without comments, with empty strings and joined lines; `undefined` if the type-level parser would reject
 * it.
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
      // Like in the type-level parser: a comment is one space, however many lines it spans.
      return " ";
    },
    (literal) => (literal.startsWith("<") ? "<>" : '""'),
  );
  // In code, backslashes, digraphs and trigraphs can spell any of the characters that are scanned for here.
  return closed && !/\\|%:|\?\?[=()!<>"-]/.test(code) ? code : undefined;
}
