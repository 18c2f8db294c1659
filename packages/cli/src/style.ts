/** Terminal colors. */
import type { Output } from "./io.js";

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** Returns text in a color or weight if the output supports colors. */
export function style(output: Pick<Output, "color">, name: keyof typeof codes, text: string): string {
  const [on, off] = codes[name];
  return output.color && text !== "" ? `\u001B[${on}m${text}\u001B[${off}m` : text;
}
