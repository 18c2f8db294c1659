// Makes the pages for those who come from other libraries, from docs/parity.tsv and the addresses of the API's pages.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const docs = new URL("../", import.meta.url);
const pages = new URL("build/pages/", docs);

const hand = readFileSync(new URL("coming-from-pyopencl.md", docs), "utf8").trimEnd();
const libraries = [
  {
    prefix: "pyopencl.",
    page: "coming-from-pyopencl",
    name: "PyOpenCL",
    introduction: hand,
  },
  {
    prefix: "opencl.",
    page: "coming-from-opencl-for-python",
    name: "opencl-for-python",
    introduction:
      "# Coming from opencl-for-python\n\nIts views of device memory with shapes and strides are [device views](device-views.md), " +
      "its typed kernels [kernels](kernels-and-launches.md) that know the types of their arguments, its contextual memory " +
      "[descriptors](element-types.md).",
  },
  {
    prefix: "hysop.",
    page: "coming-from-hysop",
    name: "hysop",
    introduction:
      "# Coming from hysop\n\nIts kernel launchers are the [launchers](launchers.md) of @cl/launcher, their statistics and " +
      "profilers are [statistics](statistics.md). The rest of hysop has no counterpart here. " +
      "[An operator and its port](../examples/from-hysop/README.md) stand side by side.",
  },
];

// Lets the theme divide the width of the tables evenly.
const frontmatter = "---\npageClass: names\n---\n";

/** Makes the pages. Where the reference has not been made, names are no links. */
export function writeComingFrom() {
  const api = new URL("build/api.json", docs);
  const addresses = existsSync(api) ? JSON.parse(readFileSync(api, "utf8")) : {};
  const rows = readFileSync(new URL("parity.tsv", docs), "utf8").trimEnd().split("\n").slice(1);
  const items = rows.map((row) => row.split("\t"));
  mkdirSync(pages, { recursive: true });
  for (const { prefix, page, name, introduction } of libraries) {
    const own = items.filter(([, item]) => item.startsWith(prefix));
    const every = ["## Every name", "", `Those of the parts of ${name} that this stack follows.`, ""];
    const text = [frontmatter, introduction, "", ...every, ...tables(own, prefix, name, addresses), ""].join("\n");
    writeFileSync(new URL(`${page}.md`, pages), text);
  }
  writeFileSync(new URL("coming-from.md", pages), overview(items));
}

/** A table for each class or module, in the order of the file. */
function tables(items, prefix, name, addresses) {
  const groups = new Map();
  for (const row of items) {
    const owner = ownerOf(row[1].slice(prefix.length));
    groups.set(owner, [...(groups.get(owner) ?? []), row]);
  }
  return [...groups].flatMap(([owner, rows]) => [
    `### ${owner === "" ? "Functions and variables" : owner}`,
    "",
    `| ${name} | here, and its test | what differs |`,
    "| --- | --- | --- |",
    ...rows.map(([, item, symbol, file, note]) => {
      const test = file === "" ? "" : `<br><small>${file.replace(/^packages\/(\w+)\/test\//, "$1: ")}</small>`;
      return `| ${code(item.slice(prefix.length))} | ${here(symbol, addresses)}${test} | ${escaped(note)} |`;
    }),
    "",
  ]);
}

/** The class or module of a name, which may have arguments behind it. */
function ownerOf(name) {
  return name.replace(/\(.*/, "").replace(/\/.*/, "").split(".").slice(0, -1).join(".");
}

/** Our name for it, with a link to where it is described. */
function here(symbol, addresses) {
  const variable = /^env:(\w+)$/.exec(symbol)?.[1];
  if (variable !== undefined) return `[${code(variable)}](environment-variables.md)`;
  const [, from = "", path = "", option] = /^(@cl\/[\w/]+):([\w.@]+)(?:\((\w+)\))?$/.exec(symbol) ?? [];
  if (path === "") return "not yet";
  const short = path.replace(".prototype.", ".").replace(/\.@@(\w+)/, "[Symbol.$1]");
  const origin = from === "@cl/core" ? "" : ` of ${from}`;
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
    "Every name of these libraries that this stack makes real, with its name here, the test that proves it, and what differs.",
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
