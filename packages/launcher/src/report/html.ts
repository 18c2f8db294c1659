/** HTML in which everything that is put in is escaped, unless it is HTML of this kind itself. */

/** A piece of HTML that is safe to write. */
export interface Html {
  readonly safe: string;
}

/** What can stand in HTML. */
export type HtmlValue = string | number | Html | readonly Html[];

/** Makes HTML of a template. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let safe = parts[0] as string;
  for (const [index, value] of values.entries()) safe += written(value) + (parts[index + 1] as string);
  return { safe };
}

/** A text in which nothing is markup, inside quoted attributes neither. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** JSON that can stand in a script element: no text in it can end the element, or begin a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

function written(value: HtmlValue): string {
  if (typeof value === "string" || typeof value === "number") return escapeHtml(String(value));
  return "safe" in value ? value.safe : value.map(({ safe }) => safe).join("");
}
