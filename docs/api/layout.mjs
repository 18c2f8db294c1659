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
  const title = /^# (.*)$/m.exec(intro)[1];
  const base = path.replace(/\.md$/, "");
  const topics = new Map(topicsOf(path).map((topic) => [topic, { rows: [], methods: [], list: [] }]));
  const kept = [];
  for (const section of sections) {
    if (section.title !== "Properties" && section.title !== "Methods") {
      kept.push(`## ${section.title}\n\n${section.text}`);
      continue;
    }
    const own = [];
    const { intro: table, sections: members } = sectionsOf(section.text, 3);
    const [head, line, ...rows] = table.split("\n");
    const ownRows = rows.filter((row) => {
      const [, anchor, name, description] = /<a id="([^"]+)"><\/a> `([^`]+)`.*? \| .* \| (.*) \|$/.exec(row);
      const topic = topicOf(path, name, sources.get(`${path}:${name}`));
      if (topic === undefined) return true;
      topics.get(topic).rows.push(row);
      topics.get(topic).list.push({ name, anchor, sentence: firstSentence(description) });
      return false;
    });
    if (ownRows.length > 0) own.push([head, line, ...ownRows].join("\n"));
    for (const member of members) {
      const name = member.title.replace(/\\|\(\)/g, "");
      const topic = topicOf(path, name, sources.get(`${path}:${name}`));
      const markdown = `### ${member.title}\n\n${member.text}`;
      if (topic === undefined) own.push(markdown);
      else {
        topics.get(topic).methods.push(`## ${member.title}\n\n${member.text}`);
        const [, description = ""] = member.text.split("\n\n");
        topics
          .get(topic)
          .list.push({ name: `${name}()`, anchor: anchorOf(member.title), sentence: firstSentence(description) });
      }
    }
    if (own.length > 0) kept.push(`## ${section.title}\n\n${own.join("\n\n")}`);
  }
  const parts = [];
  const lists = [];
  for (const [topic, { rows, methods, list }] of topics) {
    if (list.length === 0) continue;
    const part = `${base}/${topic.title.toLowerCase().replaceAll(" ", "-")}.md`;
    const name = title.replace(/\\<.*/, "");
    const head = `# ${name}: ${topic.title.toLowerCase()}\n\nMembers of [${title}](${posix.basename(path)}). The guide: [${topic.title}](/${topic.guide}.md).`;
    const table = ["| Property | Type | Description |", "| --- | --- | --- |", ...rows].join("\n");
    parts.push([part, [head, ...(rows.length > 0 ? [table] : []), ...methods].join("\n\n")]);
    for (const { anchor } of list) moved.set(`${path}#${anchor}`, `${part}#${anchor}`);
    const here = list.toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
    const lines = here.map(({ name: member, anchor, sentence }) => `| [\`${member}\`](#${anchor}) | ${sentence} |`);
    lists.push([`## ${topic.title}`, "", "| Member | Description |", "| --- | --- |", ...lines].join("\n"));
  }
  return [...parts, [path, [intro, ...kept, ...lists].join("\n\n")]];
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
