/** The search: indexes the guide by section and the API reference by page, and ranks the guide first. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { DefaultTheme } from "vitepress";

import { repository } from "./pages.js";

interface Section {
  readonly anchor: string;
  readonly titles: string[];
  readonly text: string;
}

/** Pages of which only the headings are found: their tables repeat what other pages say. */
const headingsOnly = /^(bench|docs\/build\/pages\/coming-from)/;
const reference = "docs/build/pages/api/";

export const search: { readonly provider: "local"; readonly options: DefaultTheme.LocalSearchOptions } = {
  provider: "local",
  options: {
    miniSearch: {
      searchOptions: {
        boost: { title: 4, text: 2, titles: 1 },
        // Runs in the browser, for a page or section and a word found in it.
        boostDocument: (id: string, word: string) => {
          if (id.includes("/api/")) {
            if (!id.toLowerCase().endsWith(`/${word}.html`)) return 0.3;
            // "MemoryPool" means the class, "pipe" may mean anything.
            return /[a-z][A-Z]\w*\.html$/.test(id) ? 1 : 0.5;
          }
          const weight = /\/(examples|coming-from|bench|contributing|troubleshooting|changes-from)/.test(id) ? 0.5 : 1;
          return id.includes("#") ? weight : 1.5 * weight;
        },
      },
      _splitIntoSections: (file, html) => {
        const path = relative(repository, file).replaceAll("\\", "/");
        if (path.startsWith(reference)) return referencePage(path, readFileSync(file, "utf8"));
        const sections = sectionsOf(html);
        return headingsOnly.test(path) ? sections.map((section) => ({ ...section, text: "" })) : sections;
      },
    },
  },
};

/** Returns the sections of a page, each with its title and those of its parents. */
function sectionsOf(html: string): Section[] {
  const parents: string[] = [];
  return [...html.matchAll(/<h([1-6])\b([^>]*)>(.*?)<\/h\1>([^]*?)(?=<h[1-6]\b|$)/g)].map((match) => {
    const [, level = "1", attributes = "", heading = "", content = ""] = match;
    parents.length = Number(level) - 1;
    parents.push(textOf(heading.replace(/<a class="header-anchor".*$/, "")).trim());
    const anchor = /id="([^"]*)"/.exec(attributes)?.[1] ?? "";
    return { anchor: level === "1" ? "" : anchor, titles: parents.filter(Boolean), text: textOf(content) };
  });
}

/** Returns a page of the reference as one document: its name, its first paragraph and the names of its members. */
function referencePage(path: string, markdown: string): Section[] {
  const [, title = ""] = /^# (.*)$/m.exec(markdown) ?? [];
  const name = title.replace(/\\<.*/, "").replaceAll("\\", "");
  const members = [...markdown.matchAll(/^### (.*)$|^\| <a id="[^"]*"><\/a> `([^`]*)`/gm)].map(
    ([, heading, row]) => heading ?? row,
  );
  const topics = [...markdown.matchAll(/^## (\w+)\(\)$/gm)].map(([, method]) => method);
  const [, paragraph = ""] = /^# .*\n\n(?:> .*\n\n)?([^#>|`\n].*(?:\n.+)*)/m.exec(markdown) ?? [];
  // The page of a package only lists what has a page.
  const words = path.endsWith("/index.md") ? "" : paragraph.replace(/\]\([^)]*\)/g, " ");
  const text = [words, ...members, ...topics].join(" ").replace(/[\\[\]()`*<>|]/g, " ");
  return [{ anchor: "", titles: [name], text }];
}

function textOf(html: string): string {
  const text = html.replace(/<[^>]*>/g, " ").replace(/&(?:lt|gt|quot|amp|#\d+);/g, " ");
  // Nearly every page imports the same names.
  return text.replace(/^\s*import\s[^;]*;/gm, "");
}
