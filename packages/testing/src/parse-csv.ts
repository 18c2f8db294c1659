/** Parses CSV strictly by RFC 4180. */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  // A quoted or bare field and its terminator.
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  let last = 0;
  for (const [whole, quoted, bare = "", end] of text.matchAll(field)) {
    last += whole.length;
    line.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    lines.push(line);
    line = [];
  }
  if (last !== text.length) throw new Error(`invalid CSV at ${last}: ${JSON.stringify(text.slice(last, last + 40))}`);
  return lines;
}
