/** Finds the command that is meant, and runs it. */
import { readArguments } from "./arguments.js";
import { UsageError } from "./command.js";
import { commands } from "./commands.js";
import { commandHelp, generalHelp } from "./help.js";
import type { CommandIo } from "./io.js";
import { packageVersion } from "./package-folder.js";
import { style } from "./style.js";

/**
 * Runs `clkit` with these arguments and gives the code to exit with: 0 where all went well, 1 where something failed, 2
 * where the arguments are wrong. It never throws.
 *
 * @param args - what stands behind `clkit` on the command line
 * @param io - where it writes
 */
export async function clkit(args: readonly string[], io: CommandIo): Promise<number> {
  const [word, ...rest] = args[0] === "help" ? helpOptions(args[1]) : args;
  try {
    switch (word) {
      case "-h":
      case "--help":
        io.out.write(generalHelp(commands, io.out));
        return 0;
      case "-V":
      case "--version":
        io.out.write(`${packageVersion()}\n`);
        return 0;
      case undefined:
        io.err.write(generalHelp(commands, io.err));
        return 2;
      default:
        return await runCommand(word, rest, io);
    }
  } catch (error) {
    const usage = error instanceof UsageError;
    const name = commands.some((one) => one.name === word) ? `clkit ${word}` : "clkit";
    const message = error instanceof Error ? error.message : String(error);
    io.err.write(`${style(io.err, "red", `${name}:`)} ${message}\n`);
    if (usage) io.err.write(`"${name} --help" says what there is.\n`);
    else if (isMissing(error)) io.err.write(`"clkit doctor" looks for the reason.\n`);
    return usage ? 2 : 1;
  }
}

/** `clkit help run` is `clkit run --help`: those who know git or npm try it. */
function helpOptions(word: string | undefined): readonly string[] {
  return word === undefined || word === "help" ? ["--help"] : [word, "--help"];
}

async function runCommand(word: string, args: readonly string[], io: CommandIo): Promise<number> {
  const entry = commands.find(({ name }) => name === word);
  if (entry === undefined) throw await unknownCommand(word);
  const command = await entry.load();
  const { values, positionals } = await readArguments(command, args);
  if (values["help"] === true) {
    io.out.write(commandHelp(command, io.out));
    return 0;
  }
  return command.run(values as Parameters<typeof command.run>[0], positionals, io);
}

async function unknownCommand(word: string): Promise<UsageError> {
  if (word.startsWith("-")) return new UsageError(`There is no option ${word} before a command.`);
  const { nearestName } = await import("@cl/base");
  const nearest = nearestName(
    word,
    commands.map(({ name }) => name),
  );
  return new UsageError(`There is no command "${word}".${nearest === undefined ? "" : ` Did you mean "${nearest}"?`}`);
}

/** Whether the addon, the OpenCL library, or a driver is missing. */
function isMissing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ERR_CL_NO_RUNTIME" || code === "ERR_CL_NO_BINARY";
}
