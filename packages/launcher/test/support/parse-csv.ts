/** Reads comma-separated values as RFC 4180 has them, and nothing else. */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  // A field, quoted or not, and what ends it.
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  let last = 0;
  for (const [whole, quoted, bare = "", end] of text.matchAll(field)) {
    last += whole.length;
    line.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    lines.push(line);
    line = [];
  }
  if (last !== text.length) throw new Error(`no CSV at ${last}: ${JSON.stringify(text.slice(last, last + 40))}`);
  return lines;
}
