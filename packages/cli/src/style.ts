/** Colours of a terminal. */
import type { Output } from "./io.js";

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** Text in a colour or weight, where the output has colours. */
export function style(output: Pick<Output, "colour">, name: keyof typeof codes, text: string): string {
  const [on, off] = codes[name];
  return output.colour && text !== "" ? `\u001B[${on}m${text}\u001B[${off}m` : text;
}
