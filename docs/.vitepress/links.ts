/** Relative links as they are on a forge, from file to file, become links from page to page. */
import type { MarkdownOptions } from "vitepress";

import { follow } from "./pages.js";

type MarkdownIt = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

/** A plugin for markdown-it. What a link leads to that is no page of the site, stays as text. */
export function siteLinks(markdown: MarkdownIt, sourceOf: (file: string) => string): void {
  markdown.core.ruler.push("site-links", (state) => {
    // `path` is where the page goes, `realPath` where it comes from, if that is elsewhere.
    const { path = "", realPath = path } = state.env as { readonly path?: string; readonly realPath?: string };
    const source = sourceOf(realPath);
    for (const { children } of state.tokens) {
      if (children === null) continue;
      let plain = false;
      for (const token of children) {
        const href = token.attrGet("href");
        if (token.type === "link_open" && href !== null && !/^([a-z]+:|[/#])/.test(href)) {
          const target = follow(source, href);
          plain = target === undefined;
          if (target !== undefined) token.attrSet("href", target);
        }
        if (!plain || !token.type.startsWith("link_")) continue;
        if (token.type === "link_close") plain = false;
        [token.tag, token.type] = ["span", token.type.replace("link", "text")];
        token.attrs = null;
      }
    }
  });
}

/** A plugin for markdown-it: names such as CL_OUT_OF_RESOURCES may break behind a `_`, as in headings on a phone. */
export function breakableNames(markdown: MarkdownIt): void {
  const { text } = markdown.renderer.rules;
  markdown.renderer.rules.text = (tokens, index, ...rest) => {
    const html = text?.(tokens, index, ...rest) ?? markdown.utils.escapeHtml(tokens[index]?.content ?? "");
    return html.replace(/(?<=[A-Z]_?)_(?=[A-Z])/g, "_<wbr>");
  };
}
