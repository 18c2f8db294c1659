// Shortens the pages that typedoc-plugin-markdown writes: properties as a table, one line per fact of a method.

/** Headings that repeat the signature or the class hierarchy. */
const dropped = new Set(["Inherited from", "Overrides", "Implementation of", "Get Signature"]);
/** Headings above a table or a code block that explains itself. */
const unlabeled = new Set(["Parameters", "Type Parameters", "Example"]);

/** Splits Markdown at the headings of a level, outside of code blocks: the text before the first, then each with its text. */
export function sectionsOf(text, level) {
  const sections = [{ title: "", text: "" }];
  const mark = `${"#".repeat(level)} `;
  let isCode = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    if (!isCode && line.startsWith(mark)) sections.push({ title: line.slice(mark.length), text: "" });
    else sections.at(-1).text += `${line}\n`;
  }
  const [intro, ...rest] = sections.map(({ title, text: body }) => ({ title, text: body.trim() }));
  return { intro: intro.text, sections: rest };
}

/** Returns the page with its members in short form. */
export function compactPage(text) {
  const { intro, sections } = sectionsOf(text, 2);
  // Constructors, Properties, Accessors, Methods: their members are headings of the third level.
  const hasMembers = sections.some(({ title }) => /^(Properties|Accessors|Methods|Constructors)$/.test(title));
  const short = hasMembers ? joinProperties(sections).map(compactSection) : sections;
  return threeColumns([intro, ...short.map(({ title, text: body }) => `## ${title}\n\n${body}`)].join("\n\n"));
}

/** Reduces tables of properties to name, type and description, which includes the default. */
function threeColumns(text) {
  let titles;
  return text
    .split("\n")
    .map((line) => {
      if (!line.startsWith("| ")) titles = undefined;
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      if (line.startsWith("| Property | Modifier |")) {
        titles = cells;
        return "| Property | Type | Description |";
      }
      if (titles === undefined) return line;
      if (line.startsWith("| ---")) return "| --- | --- | --- |";
      const cell = (title) => cells[titles.indexOf(title)] ?? "";
      const name = cell("Property") + (cell("Modifier").includes("`readonly`") ? "" : " (writable)");
      const description = ["Description", "Default value"].map((title) => cell(title).replace(/^-$/, ""));
      if (/^(`undefined`)?$/.test(description[1])) description.pop();
      else description[1] = defaultText(description[1]);
      return `| ${name} | ${cell("Type")} | ${description.join(" ").trim()} |`;
    })
    .join("\n");
}

/** Joins accessors and properties to one section. */
function joinProperties(sections) {
  const isProperties = ({ title }) => title === "Properties" || title === "Accessors";
  const lists = sections.filter(isProperties);
  if (lists.length < 2) {
    return sections.map((section) => (isProperties(section) ? { ...section, title: "Properties" } : section));
  }
  const text = lists.map((list) => list.text).join("\n\n");
  return sections.flatMap((section) => {
    if (!isProperties(section)) return [section];
    return section === lists[0] ? [{ title: "Properties", text }] : [];
  });
}

function compactSection({ title, text }) {
  const { intro, sections } = sectionsOf(text, 3);
  if (sections.length === 0) return { title, text };
  const members = sections.map((member) => ({ title: member.title, text: member.text.replace(/\n*\*\*\*$/, "") }));
  if (title !== "Properties") {
    return { title, text: joined([intro, ...members.map(markdownOf)]) };
  }
  const rows = members.map(propertyRow);
  const table = rows
    .filter((row) => row !== undefined)
    .toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  const others = members.filter((_, i) => rows[i] === undefined);
  const head =
    table.length === 0 ? [] : [["| Property | Type | Description |", "| --- | --- | --- |", ...table].join("\n")];
  return { title, text: joined([intro, ...head, ...others.map(markdownOf)]) };
}

function markdownOf({ title, text }) {
  return `### ${title}\n\n${compactMember(text)}`;
}

function joined(parts) {
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Returns a member without headings: each signature with its text, its parameters and its result. */
function compactMember(text) {
  const { intro, sections } = sectionsOf(text, 4);
  const parts = sections.map((section) => {
    if (dropped.has(section.title)) return section.title === "Get Signature" ? compactMember(raise(section.text)) : "";
    if (section.title === "Set Signature" || section.title === "Call Signature") {
      return compactMember(raise(section.text));
    }
    return factOf(section);
  });
  return joined([intro, ...parts]);
}

/** Raises headings by one level. */
function raise(text) {
  return text.replace(/^#(#####?) /gm, "$1 ");
}

function factOf({ title, text }) {
  if (unlabeled.has(title)) return text;
  if (title === "Returns") {
    // The type is part of the signature.
    const [, ...rest] = text.split("\n\n");
    if (rest.length === 0) return "";
    return /^#|^\|/m.test(rest.join("\n\n"))
      ? rest.join("\n\n").replace(/^#{3,} (.+)$/gm, "**$1**")
      : `Returns: ${rest.join("\n\n")}`;
  }
  const value = /^```ts\n(.+)\n```$/.exec(text);
  if (title === "Default Value" || title === "Default") {
    return defaultText(value === null ? text : `\`${value[1]}\``);
  }
  return `**${title}:** ${text}`;
}

/** Returns a sentence about a default. TypeDoc formats all defaults as code, also those in words. */
function defaultText(value) {
  const words = /^`([a-z]+(?:[ ,;'].*)?|[\d,]+ .*)`$/.exec(value);
  const isWords = words !== null && !/^(true|false|null|undefined)$/.test(words[1]);
  return `Default: ${isWords ? words[1] : value}.`;
}

/** Returns a row of the table of properties, or undefined if the text does not fit into a cell. */
function propertyRow({ title, text }) {
  const name = title.replaceAll("\\", "").replace(/\(\)$/, "");
  const own = sectionsOf(text, 4);
  const getter = own.sections.find((section) => section.title === "Get Signature");
  const isWritable = own.sections.some((section) => section.title === "Set Signature");
  const body = getter === undefined ? text : raise(getter.text);
  const { intro, sections } = sectionsOf(body, 4);
  const [signature = "", ...description] = intro.split("\n\n");
  const type = typeOf(signature, sections);
  const facts = sections
    .filter((section) => !dropped.has(section.title) && !/^(Type )?Parameters$|^Returns$/.test(section.title))
    .map(factOf);
  const more = getter === undefined ? [] : own.sections.filter(({ title: fact }) => fact === "Example").map(factOf);
  const words = [...description, ...facts, ...more];
  if (type === undefined || words.some((part) => /^```|^[-*] |^\d+\. |^\||^>/m.test(part))) return undefined;
  const cell = (part) => part.replaceAll("\n", " ").replace(/(?<!\\)\|/g, "\\|");
  const isReadOnly = /`(readonly|get)`|\*\*get\*\*/.test(signature.split("**:")[0]) && !isWritable;
  const note = isReadOnly ? "" : " (writable)";
  return `| <a id="${anchorOf(title)}"></a> \`${name}\`${note} | ${cell(type)} | ${words.map(cell).join("<br>")} |`;
}

/** Returns the type of a property from its signature; a function type with the types of its parameters. */
function typeOf(signature, sections) {
  const getter = /^> .*?\*\*get\*\* .*?\*\*\(\): (.*)$/s.exec(signature);
  const property = /^> .*?\*\*[^*]+\*\*: (.*?)( = `[^`]*`)?$/s.exec(signature);
  const type = (getter ?? property)?.[1];
  if (type === undefined) return undefined;
  const rows =
    sections
      .find(({ title }) => title === "Parameters")
      ?.text.split("\n")
      .slice(2) ?? [];
  const types = new Map(
    rows.map((row) => {
      const [, name = "", parameter = ""] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
      return [name, parameter];
    }),
  );
  const list = /^(.*?)\(([^()]*)\) => (.*)$/s.exec(type);
  if (list === null || types.size === 0) return type;
  const parameters = list[2].split(", ").map((name) => (types.has(name) ? `${name}: ${types.get(name)}` : name));
  return `${list[1]}(${parameters.join(", ")}) => ${list[3]}`;
}

/** Returns the anchor that VitePress gives a member's heading. */
export function anchorOf(title) {
  return title
    .replace(/\\?\[|\\?\]|\(\)|\\/g, "")
    .trim()
    .toLowerCase();
}
