/** What a command is. */
import type { CommandIo } from "./io.js";

/** An option of a command. */
export interface OptionSpec {
  readonly type: "boolean" | "string";
  /** One letter. */
  readonly short?: string;
  /** It may be given several times; its value is a list. */
  readonly multiple?: boolean;
  /** What the help calls its value, such as `FILE`. */
  readonly value?: string;
  /** What it does, in one line. */
  readonly help: string;
}

/** Options by their long names. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** What was given of the options. */
export type OptionValues<O extends OptionSpecs> = {
  readonly [K in keyof O]?:
    | (O[K]["multiple"] extends true ? readonly OptionValue<O[K]>[] : OptionValue<O[K]>)
    | undefined;
};

type OptionValue<S extends OptionSpec> = S["type"] extends "boolean" ? boolean : string;

/** One of clkit's commands. */
export interface Command<O extends OptionSpecs = OptionSpecs> {
  /** The word that calls it. */
  readonly name: string;
  /** What it does, in one line without a full stop. */
  readonly summary: string;
  /** What stands behind the name, such as `[options] FILE…`. */
  readonly usage: string;
  readonly options: O;
  /** Most words beside the options; none if not said. */
  readonly maxPositionals?: number;
  /** Lines below the options: examples, notes. */
  readonly notes?: readonly string[];
  /** Does it, and gives the code to exit with: 0, or 1 where it found a failure that it has told. */
  run(values: OptionValues<O>, positionals: readonly string[], io: CommandIo): Promise<number>;
}

/** A command, with the types of its options. */
export function defineCommand<const O extends OptionSpecs>(command: Command<O>): Command {
  return command;
}

/** The command was called wrongly: a sentence for the user, and exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
