/** The sidebars: the list of docs/README.md, the examples, and the classes of each package. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DefaultTheme } from "vitepress";

import { entryPoints } from "../api/entry-points.mjs";
import { follow, repository } from "./pages.js";

type Items = DefaultTheme.SidebarItem[];

/** Returns the guide's sidebar: the sections of docs/README.md, linked to the packages' READMEs, and the examples. */
export function guideSidebar(): Items {
  const readme = readFileSync(join(repository, "docs/README.md"), "utf8");
  const sections = readme.split(/^## /m).slice(1);
  const groups = sections.map((section) => {
    const links = [...section.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)/gm)];
    const items = links.map(([, text = "", link = ""]) => ({
      text: text.replaceAll("`", ""),
      link: follow("docs/README.md", link) ?? "/guide",
    }));
    const title = section.slice(0, section.indexOf("\n")).replace("Guide to ", "");
    const [, name] = /^@cl\/(.+)$/.exec(title) ?? [];
    const readmeLink = name === undefined ? {} : { link: `/packages/${name}/` };
    return { text: title, ...readmeLink, collapsed: false, items };
  });
  const last = groups.length - 1;
  return [...groups.slice(0, last), { text: "Examples", collapsed: false, items: examples() }, ...groups.slice(last)];
}

/** Returns the reference's sidebar: each module with its classes. The module's page lists all symbols. */
export function referenceSidebar(): Items {
  return entryPoints.map(({ name }) => {
    const folder = `docs/build/pages/api/${name}/classes`;
    const items = pagesOf(folder).map((symbol) => {
      const link = `/api/${name}/classes/${symbol}`;
      const topics = pagesOf(`${folder}/${symbol}`).map((topic) => ({
        text: topic.replaceAll("-", " "),
        link: `${link}/${topic}`,
      }));
      return { text: symbol, link, ...(topics.length > 0 && { collapsed: true, items: topics }) };
    });
    return { text: `@cl/${name}`, link: `/api/${name}/`, collapsed: true, items };
  });
}

function examples(): Items {
  const names = list("examples").filter((name) => existsSync(join(repository, "examples", name, "README.md")));
  return names.map((name) => ({ text: name, link: `/examples/${name}/` }));
}

function pagesOf(folder: string): string[] {
  return list(folder).flatMap((name) => (name.endsWith(".md") ? [name.slice(0, -3)] : []));
}

function list(folder: string): string[] {
  const path = join(repository, folder);
  return existsSync(path) ? readdirSync(path).toSorted() : [];
}
