/** Finds and runs a command. */
import { readArguments } from "./arguments.js";
import { UsageError } from "./command.js";
import { commands } from "./commands.js";
import { commandHelp, generalHelp } from "./help.js";
import type { CommandIo } from "./io.js";
import { packageVersion } from "./package-folder.js";
import { addPocl } from "./pocl.js";
import { style } from "./style.js";

/**
 * Runs `clkit` with these arguments. Returns the exit code: 0 for success, 1 for an error, 2 for invalid arguments. Never
 * throws.
 *
 * @param args - arguments after `clkit`
 * @param io - input and output
 */
export async function clkit(args: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = args[0] === "help" ? helpOptions(args[1]) : args;
  try {
    switch (name) {
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
        return await runCommand(name, rest, io);
    }
  } catch (error) {
    const usage = error instanceof UsageError;
    const program = commands.some((command) => command.name === name) ? `clkit ${name}` : "clkit";
    const message = error instanceof Error ? error.message : String(error);
    io.err.write(`${style(io.err, "red", `${program}:`)} ${message}\n`);
    if (usage) io.err.write(`Run "${program} --help" for usage.\n`);
    else if (isMissing(error)) io.err.write(`Run "clkit doctor" to diagnose the installation.\n`);
    return usage ? 2 : 1;
  }
}

/** Supports `clkit help run` as `clkit run --help`, like git and npm. */
function helpOptions(command: string | undefined): readonly string[] {
  return command === undefined || command === "help" ? ["--help"] : [command, "--help"];
}

async function runCommand(name: string, args: readonly string[], io: CommandIo): Promise<number> {
  const entry = commands.find((command) => command.name === name);
  if (entry === undefined) throw await unknownCommand(name);
  const command = await entry.load();
  const { values, positionals } = await readArguments(command, args);
  if (values["help"] === true) {
    io.out.write(commandHelp(command, io.out));
    return 0;
  }
  if (command.usesDevices === true) {
    const pocl = await addPocl();
    // The other runtimes may work.
    if (pocl.state === "failed") io.err.write(`${style(io.err, "yellow", `clkit ${name}:`)} ${pocl.reason}\n`);
  }
  return command.run(values as Parameters<typeof command.run>[0], positionals, io);
}

async function unknownCommand(name: string): Promise<UsageError> {
  if (name.startsWith("-")) return new UsageError(`Unknown option ${name}.`);
  const { nearestName } = await import("@cl/base");
  const nearest = nearestName(
    name,
    commands.map((command) => command.name),
  );
  return new UsageError(`Unknown command "${name}".${nearest === undefined ? "" : ` Did you mean "${nearest}"?`}`);
}

/** Whether the addon, the OpenCL library, or a driver is missing. */
function isMissing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ERR_CL_NO_RUNTIME" || code === "ERR_CL_NO_BINARY";
}
