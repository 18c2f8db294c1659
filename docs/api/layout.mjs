// Lays out the reference in pages of readable length: short members, classes split by topic, adjusted links.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { posix } from "node:path";

import { anchorOf, compactPage, sectionsOf } from "./compact.mjs";
import { splitPages, topicOf, topicsOf } from "./topics.mjs";

const frontmatter = "---\npageClass: reference\n---\n\n";

/**
 * Rewrites the pages below `folder`. `sources` has the source of each member of the split pages, such as
 * `array/classes/Arrays.md:zeros`. Returns a function that maps an address such as `array/classes/Arrays.md#zeros` to its
 * new address.
 */
export function layOut(folder, sources) {
  const pages = new Map(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => name.replaceAll("\\", "/"))
      .map((name) => [name, readFileSync(`${folder}/${name}`, "utf8")]),
  );
  const moved = new Map();
  dropUnions(pages, moved);
  for (const [path, text] of pages) pages.set(path, tableOfSentences(path, compactPage(text)));
  // The path that a moved page's links are relative to.
  const origins = new Map();
  for (const path of splitPages) {
    for (const [part, text] of splitByTopic(path, pages.get(path), sources, moved)) {
      pages.set(part, text);
      origins.set(part, path);
    }
  }
  const find = (address) => moved.get(address) ?? moved.get(address.split("#")[0]) ?? address;
  rmSync(folder, { recursive: true });
  for (const [path, text] of pages) {
    mkdirSync(`${folder}/${posix.dirname(path)}`, { recursive: true });
    writeFileSync(`${folder}/${path}`, `${frontmatter}${relink(text, origins.get(path) ?? path, path, find)}\n`);
  }
  return find;
}

/** Removes the page of a type that only names the values of the constant with the same name; links lead to the constant. */
function dropUnions(pages, moved) {
  for (const path of pages.keys()) {
    const constant = path.replace("/type-aliases/", "/variables/");
    if (constant === path || !pages.has(constant)) continue;
    pages.delete(path);
    moved.set(path, constant);
    const index = `${path.split("/type-aliases/")[0]}/index.md`;
    const link = `](${posix.relative(posix.dirname(index), path)})`;
    const lines = pages.get(index).split("\n");
    pages.set(index, lines.filter((line) => !line.startsWith("| [") || !line.includes(link)).join("\n"));
  }
}

/** Shortens the descriptions in the lists of a package to one sentence. */
function tableOfSentences(path, text) {
  if (!path.endsWith("/index.md")) return text;
  return text.replace(/^(\| \[[^\]]+\]\([^)]+\) \| )(.*) \|$/gm, (_, start, description) => {
    return `${start}${firstSentence(description)} |`;
  });
}

/** Returns the first sentence of a description. */
function firstSentence(text) {
  const plain = text.replaceAll("<br>", " ");
  const [sentence = ""] = /^.*?[.!?](?=\s+[A-Z`[(]|$)(?<!e\.g\.|i\.e\.)/s.exec(plain) ?? [plain];
  return sentence.replaceAll("\n", " ").trim();
}

/** Returns a page for each topic, and the page of the class with lists of their members. */
function splitByTopic(path, text, sources, moved) {
  const { intro, sections } = sectionsOf(text, 2);
  const topics = new Map(topicsOf(path).map((topic) => [topic, []]));
  const kept = sections.flatMap(({ title, text: body }) => {
    if (title !== "Properties" && title !== "Methods") return [`## ${title}\n\n${body}`];
    const own = membersOf(body).filter((member) => {
      const topic = topicOf(path, member.name, sources.get(`${path}:${member.name}`));
      topics.get(topic)?.push(member);
      return topic === undefined;
    });
    return own.length === 0 ? [] : [`## ${title}\n\n${textOf(own, "###")}`];
  });
  const used = [...topics].filter(([, members]) => members.length > 0);
  const parts = used.map(([topic, members]) => {
    const part = `${path.replace(/\.md$/, "")}/${topic.title.toLowerCase().replaceAll(" ", "-")}.md`;
    for (const { anchor } of members) moved.set(`${path}#${anchor}`, `${part}#${anchor}`);
    return [part, `${topicIntro(path, intro, topic)}\n\n${textOf(members, "##")}`];
  });
  const lists = used.map(([{ title }, members]) => `## ${title}\n\n${listOf(members)}`);
  return [...parts, [path, [intro, ...kept, ...lists].join("\n\n")]];
}

/** Returns the members of a section: the rows of its table, which are properties, and the sections below it. */
function membersOf(text) {
  const { intro, sections } = sectionsOf(text, 3);
  const [, , ...rows] = intro.split("\n");
  const properties = rows.map((row) => {
    const [, anchor, name, description] = /<a id="([^"]+)"><\/a> `([^`]+)`.*? \| .* \| (.*) \|$/.exec(row);
    return { name, label: name, anchor, description, row };
  });
  const methods = sections.map(({ title, text: body }) => {
    const [, description = ""] = body.split("\n\n");
    const name = title.replace(/\\|\(\)/g, "");
    return { name, label: `${name}()`, anchor: anchorOf(title), description, title, body };
  });
  return [...properties, ...methods];
}

/** Returns the documentation of members: a table of properties, then the methods below headings with a mark such as `##`. */
function textOf(members, mark) {
  const rows = members.flatMap(({ row }) => row ?? []);
  const table = ["| Property | Type | Description |", "| --- | --- | --- |", ...rows].join("\n");
  const methods = members.filter(({ row }) => row === undefined);
  const texts = methods.map(({ title, body }) => `${mark} ${title}\n\n${body}`);
  return [...(rows.length > 0 ? [table] : []), ...texts].join("\n\n");
}

function topicIntro(path, classIntro, topic) {
  const [, title] = /^# (.*)$/m.exec(classIntro);
  const head = `# ${title.replace(/\\<.*/, "")}: ${topic.title.toLowerCase()}`;
  return `${head}\n\nMembers of [${title}](${posix.basename(path)}). The guide: [${topic.title}](/${topic.guide}.md).`;
}

/** Returns a table that links to each member, by name. */
function listOf(members) {
  const lines = members
    .toSorted((a, b) => (a.label.toLowerCase() < b.label.toLowerCase() ? -1 : 1))
    .map(({ label, anchor, description }) => `| [\`${label}\`](#${anchor}) | ${firstSentence(description)} |`);
  return ["| Member | Description |", "| --- | --- |", ...lines].join("\n");
}

/** Adjusts the links of a page that was moved from `origin` to `path`. */
function relink(text, origin, path, find) {
  return text.replace(/\]\(((?![a-z]+:|\/)[^)\s]*)\)/g, (link, target) => {
    const [file = "", anchor] = target.split("#");
    if (file !== "" && !file.endsWith(".md")) return link;
    const from = file === "" ? origin : posix.join(posix.dirname(origin), file);
    const [to, place] = find(anchor === undefined ? from : `${from}#${anchor}`).split("#");
    const relative = to === path ? "" : posix.relative(posix.dirname(path), to);
    return `](${relative}${place === undefined ? "" : `#${place}`})`;
  });
}
