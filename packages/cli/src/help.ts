/** Text of `--help`. */
import { optionsOf } from "./arguments.js";
import type { Command } from "./command.js";
import type { CommandEntry } from "./commands.js";
import type { Output } from "./io.js";
import { style } from "./style.js";

/** Returns the help of clkit. */
export function generalHelp(commands: readonly CommandEntry[], output: Output): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const);
  return [
    `${style(output, "bold", "Usage:")} clkit COMMAND [options]`,
    "",
    ...columns(rows, output),
    "",
    ...columns(
      [
        ["-h, --help", "show help; clkit COMMAND --help shows the options of a command"],
        ["-V, --version", "print the version"],
      ],
      output,
    ),
    "",
  ].join("\n");
}

export function commandHelp(command: Command, output: Output): string {
  const rows = Object.entries(optionsOf(command)).map(([name, { short, type, value, help }]) => {
    const placeholder = type === "boolean" ? "" : ` ${value ?? "VALUE"}`;
    return [`${short === undefined ? "    " : `-${short}, `}--${name}${placeholder}`, help] as const;
  });
  const usage = command.usage === "" ? "" : ` ${command.usage}`;
  return [
    `${style(output, "bold", "Usage:")} clkit ${command.name}${usage}`,
    "",
    `${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.`,
    "",
    ...columns(rows, output),
    ...(command.notes === undefined ? [] : ["", ...command.notes]),
    "",
  ].join("\n");
}

function columns(rows: readonly (readonly [left: string, right: string])[], output: Output): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${style(output, "cyan", left.padEnd(width))}  ${right}`);
}
