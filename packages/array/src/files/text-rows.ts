/** The rows of a text file, each split into fields. */
import { open } from "node:fs/promises";

/** How a text file is divided into rows and fields. */
export interface TextRowFormat {
  /** Text between two fields; undefined for any white space. */
  readonly delimiter: string | undefined;
  /** Texts that start a comment, which ends at the end of the line. */
  readonly comments: readonly string[];
  /** Number of lines to skip at the start, comments and empty lines included. */
  readonly skipRows: number;
  /** Maximum number of rows, without comments and empty lines. */
  readonly maxRows: number;
}

/** A row that is not empty. */
export interface TextRow {
  /** The line's number, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** Yields the rows of a file. */
export async function* textRows(
  path: string,
  format: TextRowFormat,
  signal: AbortSignal | undefined,
): AsyncGenerator<TextRow> {
  const { delimiter, skipRows, maxRows } = format;
  signal?.throwIfAborted();
  const handle = await open(path);
  try {
    let [line, rows] = [0, 0];
    for await (const text of handle.readLines({ encoding: "utf8", autoClose: false })) {
      signal?.throwIfAborted();
      if (rows === maxRows) return;
      line++;
      if (line <= skipRows) continue;
      const own = withoutComment(text, format.comments);
      const trimmed = own.trim();
      if (trimmed === "") continue;
      rows++;
      yield { line, fields: delimiter === undefined ? trimmed.split(/\s+/u) : own.split(delimiter) };
    }
  } finally {
    await handle.close();
  }
}

function withoutComment(text: string, comments: readonly string[]): string {
  return comments.reduce((rest, comment) => {
    const at = rest.indexOf(comment);
    return at < 0 ? rest : rest.slice(0, at);
  }, text);
}
