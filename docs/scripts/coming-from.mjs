// Generates the pages for users of other libraries from docs/parity.tsv and the addresses of the API reference.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const docs = new URL("../", import.meta.url);
const pages = new URL("build/pages/", docs);

const byHand = (page) => readFileSync(new URL(page, docs), "utf8").trimEnd();
const libraries = [
  {
    prefix: "pyopencl.",
    page: "coming-from-pyopencl",
    name: "PyOpenCL",
    introduction: byHand("coming-from-pyopencl.md"),
  },
  {
    prefix: "opencl.",
    page: "coming-from-opencl-for-python",
    name: "opencl-for-python",
    introduction:
      "# Coming from opencl-for-python\n\nIts views of device memory with shape and strides correspond to " +
      "[device views](device-views.md), its typed kernels to [kernels](kernels-and-launches.md), and its contextual memory " +
      "to [dtypes](element-types.md).",
  },
  {
    prefix: "hysop.",
    page: "coming-from-hysop",
    name: "hysop",
    introduction: byHand("coming-from-hysop.md"),
  },
];

// The theme gives the tables of such pages equal columns.
const frontmatter = "---\npageClass: names\n---\n";

/** Writes the pages. Names are links only if the API reference has been generated. */
export function writeComingFrom() {
  const api = new URL("build/api.json", docs);
  const addresses = existsSync(api) ? JSON.parse(readFileSync(api, "utf8")) : {};
  const lines = readFileSync(new URL("parity.tsv", docs), "utf8").trimEnd().split("\n").slice(1);
  const items = lines.map((line) => line.split("\t"));
  mkdirSync(pages, { recursive: true });
  for (const { prefix, page, name, introduction } of libraries) {
    const rows = items.filter(([, item]) => item.startsWith(prefix));
    const heading = ["## API equivalents", "", `All names of the parts of ${name} that @cl covers.`, ""];
    const text = [frontmatter, introduction, "", ...heading, ...tables(rows, prefix, name, addresses), ""].join("\n");
    writeFileSync(new URL(`${page}.md`, pages), text);
  }
  writeFileSync(new URL("coming-from.md", pages), overview(items));
}

/** Returns a table for each class or module, in the order of the file. */
function tables(items, prefix, name, addresses) {
  const groups = new Map();
  for (const row of items) {
    const owner = ownerOf(row[1].slice(prefix.length));
    groups.set(owner, [...(groups.get(owner) ?? []), row]);
  }
  return [...groups].flatMap(([owner, rows]) => [
    `### ${owner === "" ? "Functions and variables" : owner}`,
    "",
    `| ${name} | @cl (with its test) | Differences |`,
    "| --- | --- | --- |",
    ...rows.map(([, item, symbol, file, note]) => {
      const test = file === "" ? "" : `<br><small>${file.replace(/^packages\/(\w+)\/test\//, "$1: ")}</small>`;
      return `| ${code(item.slice(prefix.length))} | ${equivalent(symbol, addresses)}${test} | ${escaped(note)} |`;
    }),
    "",
  ]);
}

/** Returns the class or module of a name, which may be followed by arguments. */
function ownerOf(name) {
  return name.replace(/\(.*/, "").replace(/\/.*/, "").split(".").slice(0, -1).join(".");
}

/** Formats our equivalent of a name, with a link to its documentation. */
function equivalent(symbol, addresses) {
  const variable = /^env:(\w+)$/.exec(symbol)?.[1];
  if (variable !== undefined) return `[${code(variable)}](environment-variables.md)`;
  const [, from = "", path = "", option] = /^(@cl\/[\w/]+):([\w.@]+)(?:\((\w+)\))?$/.exec(symbol) ?? [];
  if (path === "") return "not yet implemented";
  const short = path.replace(".prototype.", ".").replace(/\.@@(\w+)/, "[Symbol.$1]");
  const origin = from === "@cl/core" ? "" : ` from ${from}`;
  const address = addresses[`${from}:${path}`] ?? addresses[`${from}:${path.split(".")[0]}`];
  const name = address === undefined ? code(short) : `[${code(short)}](${address})`;
  return option === undefined ? `${name}${origin}` : `${name}${origin}: ${code(option)}`;
}

function overview(items) {
  const count = (prefix) => items.filter(([, item]) => item.startsWith(prefix)).length;
  const lines = libraries.map(
    ({ prefix, page, name }) => `- [Coming from ${name}](${page}.md): ${count(prefix)} names.`,
  );
  return [
    "# Coming from other libraries",
    "",
    "Every name of these libraries that @cl covers, with its equivalent, the test that verifies it, and the differences.",
    "",
    ...lines,
    "",
  ].join("\n");
}

function code(text) {
  return `\`${text.replaceAll("|", "\\|")}\``;
}

function escaped(text) {
  return text.replace(/[<>{}|*_\\]/g, (char) => `&#${char.charCodeAt(0)};`);
}
