/** HTML templates that escape all inserted values except for HTML. */

/** Escaped HTML. */
export interface Html {
  readonly safe: string;
}

/** Values that can be inserted. */
export type HtmlValue = string | number | Html | readonly Html[];

/** Creates HTML from a template. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let safe = parts[0] as string;
  for (const [index, value] of values.entries()) safe += render(value) + (parts[index + 1] as string);
  return { safe };
}

/** Escapes text for elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Returns JSON for a script element: no text can end the element or start a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

function render(value: HtmlValue): string {
  if (typeof value === "string" || typeof value === "number") return escapeHtml(String(value));
  return "safe" in value ? value.safe : value.map(({ safe }) => safe).join("");
}
