/** Parses a command's arguments with its table of options. */
import { parseArgs, type ParseArgsConfig } from "node:util";

import { type Command, type OptionSpecs, UsageError } from "./command.js";

/** Parsed arguments. */
export interface Arguments {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

const help = { type: "boolean", short: "h", help: "show help" } as const;

/** Returns a command's options, including `--help`. */
export function optionsOf({ options }: Pick<Command, "options">): OptionSpecs {
  return { ...options, help };
}

/** Parses the arguments that follow a command's name. Throws a `UsageError` for invalid ones. */
export async function readArguments(command: Command, argv: readonly string[]): Promise<Arguments> {
  const args = argv.map((argument) => (dashedValue.test(argument) ? `${valuePrefix}${argument}` : argument));
  const specs = optionsOf(command);
  // Parse leniently first: the errors of node:util do not suggest a similar name.
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, { type, short, multiple = false }]) => [
      name,
      { type, multiple, ...(short === undefined ? {} : { short }) },
    ]),
  ) satisfies ParseArgsConfig["options"];
  const lenient = parseArgs({ args, options, strict: false, tokens: true, allowPositionals: true });
  for (const token of lenient.tokens) {
    if (token.kind !== "option") continue;
    const spec = Object.hasOwn(specs, token.name) ? specs[token.name] : undefined;
    if (spec === undefined) throw await unknownOption(token.rawName, specs);
    if (spec.type === "boolean" && token.value !== undefined) {
      throw new UsageError(`${token.rawName} does not take a value, received "${token.value}".`);
    }
    if (spec.type === "string" && (token.value === undefined || isMissing(token.value, token.inlineValue))) {
      throw new UsageError(`${token.rawName} requires a value: ${token.rawName} ${spec.value ?? "VALUE"}.`);
    }
  }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const extra = positionals[command.maxPositionals ?? 0];
  if (extra !== undefined && values["help"] !== true) {
    throw new UsageError(`Unexpected argument "${unescaped(extra)}".`);
  }
  const unescapedValues = Object.entries(values).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(unescaped) : unescaped(value),
  ]);
  return {
    values: Object.fromEntries(unescapedValues) as Arguments["values"],
    positionals: positionals.map(unescaped),
  };
}

/** Arguments that look like options but are values: numbers (`-1`, `-.5`, `-inf`) and text with a space (`-D N=4`). */
const dashedValue = /^-(?:\.?\d|inf|[^=]*\s)/iu;

/** Prefix that keeps node:util from parsing such a value as an option. Command-line arguments cannot contain it. */
const valuePrefix = "\0";

function unescaped<T>(argument: T): T {
  return (
    typeof argument === "string" && argument.startsWith(valuePrefix) ? argument.slice(valuePrefix.length) : argument
  ) as T;
}

/** Whether an option's value is missing, as in `--device --json`. `--device=--json` passes such a value. */
function isMissing(value: string, inline: boolean | undefined): boolean {
  return inline !== true && value.length > 1 && value.startsWith("-");
}

async function unknownOption(rawName: string, specs: OptionSpecs): Promise<UsageError> {
  const { nearestName } = await import("@cl/base");
  const known = Object.entries(specs).flatMap(([name, { short }]) => [`--${name}`, ...(short ? [`-${short}`] : [])]);
  const nearest = rawName.startsWith("--") ? nearestName(rawName, known) : undefined;
  return new UsageError(`Unknown option ${rawName}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`);
}
