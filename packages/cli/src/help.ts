/** What `--help` says. */
import { optionsOf } from "./arguments.js";
import type { Command } from "./command.js";
import type { CommandEntry } from "./commands.js";
import type { Output } from "./io.js";
import { style } from "./style.js";

/** The help of clkit itself. */
export function generalHelp(commands: readonly CommandEntry[], output: Output): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const);
  return [
    `${style(output, "bold", "Usage:")} clkit COMMAND [options]`,
    "",
    ...columns(rows, output),
    "",
    ...columns(
      [
        ["-h, --help", "says this, or what a command's options are: clkit info --help"],
        ["-V, --version", "says the version"],
      ],
      output,
    ),
    "",
  ].join("\n");
}

/** The help of a command. */
export function commandHelp(command: Command, output: Output): string {
  const rows = Object.entries(optionsOf(command)).map(([name, { short, type, value, help }]) => {
    const word = type === "boolean" ? "" : ` ${value ?? "VALUE"}`;
    return [`${short === undefined ? "    " : `-${short}, `}--${name}${word}`, help] as const;
  });
  const usage = command.usage === "" ? "" : ` ${command.usage}`;
  return [
    `${style(output, "bold", "Usage:")} clkit ${command.name}${usage}`,
    "",
    `It ${command.summary}.`,
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
