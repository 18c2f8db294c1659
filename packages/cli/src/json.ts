/** JSON for other programs. */
import type { CommandIo } from "./io.js";

/** Writes a value as indented JSON. What no number holds exactly becomes a string of digits. */
export function writeJson({ out }: Pick<CommandIo, "out">, value: unknown): void {
  const text = JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? one.toString() : one), 2);
  out.write(`${text}\n`);
}
