// Writes the tables of docs/constants.md from the comments of the generated constants: node docs/scripts/constants.mjs
import { readFileSync, writeFileSync } from "node:fs";

const page = new URL("../constants.md", import.meta.url);
const source = new URL("../../packages/core/src/binding/constants.ts", import.meta.url);

/** Returns the page with its tables replaced by those of the constants. */
export function constantsPage() {
  const constants = [...readFileSync(source, "utf8").matchAll(/^\/\*\* (.*)\. \*\/\nexport const (\w+) = \{/gm)]
    .map(([, text, name]) => ({ name: `\`${name}\``, text }))
    .filter(({ name }) => name !== "`Status`");
  const isQuery = ({ text }) => text.startsWith("Queries of ");
  const isExtension = ({ text }) => text.endsWith(")");
  const queries = constants.filter(isQuery).map(({ name, text }) => ({ name, text: text.slice("Queries of ".length) }));
  const others = constants.filter((constant) => !isQuery(constant));
  const tables = {
    Queries: tableOf("queries of", queries),
    "Values, flags and property keys": tableOf(
      "contents",
      others.filter((constant) => !isExtension(constant)),
    ),
    "Values that extensions define": tableOf("contents", others.filter(isExtension)),
  };
  const [intro] = readFileSync(page, "utf8").split(/^## /m);
  return (
    intro +
    Object.entries(tables)
      .flatMap(([title, table]) => `## ${title}\n\n${table}\n`)
      .join("\n")
  );
}

/** Returns a table with columns of equal width, as oxfmt formats it. */
function tableOf(title, constants) {
  const rows = [["object", title], ...constants.map(({ name, text }) => [name, text])];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column].length)));
  const [head, ...lines] = rows.map((row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(" | ")} |`);
  return [head, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...lines].join("\n");
}

if (import.meta.filename === process.argv[1]) writeFileSync(page, constantsPage());
