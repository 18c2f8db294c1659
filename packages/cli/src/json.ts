/** JSON output. */
import type { CommandIo } from "./io.js";

/** Writes a value as indented JSON. BigInts become strings. */
export function writeJson({ out }: Pick<CommandIo, "out">, value: unknown): void {
  const text = JSON.stringify(value, (_, item: unknown) => (typeof item === "bigint" ? item.toString() : item), 2);
  out.write(`${text}\n`);
}
