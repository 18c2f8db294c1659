/** Definition of a command. */
import type { CommandIo } from "./io.js";

/** An option of a command. */
export interface OptionSpec {
  readonly type: "boolean" | "string";
  /** A single letter. */
  readonly short?: string;
  /** Whether the option may be repeated; its value is a list. */
  readonly multiple?: boolean;
  /** Placeholder of the value in the help, such as `FILE`. */
  readonly value?: string;
  /** Description in one line. */
  readonly help: string;
}

/** Options by long name. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** Parsed option values. */
export type OptionValues<O extends OptionSpecs> = {
  readonly [K in keyof O]?:
    | (O[K]["multiple"] extends true ? readonly OptionValue<O[K]>[] : OptionValue<O[K]>)
    | undefined;
};

type OptionValue<S extends OptionSpec> = S["type"] extends "boolean" ? boolean : string;

/** A command of clkit. */
export interface Command<O extends OptionSpecs = OptionSpecs> {
  /** The name on the command line. */
  readonly name: string;
  /** Description in one line, as an imperative without a full stop. */
  readonly summary: string;
  /** Usage after the name, such as `[options] FILE…`. */
  readonly usage: string;
  readonly options: O;
  /** Maximum number of positional arguments. @defaultValue 0 */
  readonly maxPositionals?: number;
  /** Whether it uses devices, which then include that of `@cl/pocl`. @defaultValue false */
  readonly usesDevices?: boolean;
  /** Lines printed below the options: examples, notes. */
  readonly notes?: readonly string[];
  /** Runs the command. Returns the exit code: 0, or 1 if it found a failure that it has reported. */
  run(values: OptionValues<O>, positionals: readonly string[], io: CommandIo): Promise<number>;
}

/** Returns the command. Infers the types of its options. */
export function defineCommand<const O extends OptionSpecs>(command: Command<O>): Command {
  return command;
}

/** Invalid arguments: reported with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
