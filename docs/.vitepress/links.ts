/** Converts relative links between files, as on GitHub, to links between pages. */
import type { MarkdownOptions } from "vitepress";

import { follow } from "./pages.js";

type MarkdownIt = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

/** Plugin for markdown-it that converts links. A link to a file that is not a page becomes plain text. */
export function siteLinks(markdown: MarkdownIt, sourceOf: (file: string) => string): void {
  markdown.core.ruler.push("site-links", (state) => {
    // `path` is the page's target, `realPath` its source if that differs.
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

/** Plugin for markdown-it that keeps short inline code on one line and allows line breaks within long names. */
export function breakInlineCode(markdown: MarkdownIt): void {
  const { code_inline: code } = markdown.renderer.rules;
  if (code === undefined) throw new Error("markdown-it has no rule for inline code");
  markdown.renderer.rules.code_inline = (tokens, index, ...rest) => {
    const { content = "" } = tokens[index] ?? {};
    if (content.length <= 16) tokens[index]?.attrJoin("class", "short");
    const html = code(tokens, index, ...rest);
    return /^[\w./()-]{30,}$/.test(content)
      ? html.replace(/(?<=[a-zA-Z\d])[._/](?=[a-zA-Z]{3}|__)(?![^<>]*>)/g, "$&<wbr>")
      : html;
  };
}

/** Plugin for markdown-it that allows line breaks in names such as CL_OUT_OF_RESOURCES, but not between numbers and units. */
export function lineBreaks(markdown: MarkdownIt): void {
  const { text } = markdown.renderer.rules;
  markdown.renderer.rules.text = (tokens, index, ...rest) => {
    const html = text?.(tokens, index, ...rest) ?? markdown.utils.escapeHtml(tokens[index]?.content ?? "");
    return html
      .replace(/(?<=[A-Z_]{8})_(?=[A-Z])/g, "_<wbr>")
      .replace(/(?<=\d) (?=(?:[nµm]?s|[kKMGT]i?B|%|(?:[MGT]B|Gi?B)\/s)(?![\w]))/g, "&nbsp;");
  };
}
