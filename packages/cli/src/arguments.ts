/** Reads a command's arguments by its table of options. */
import { parseArgs, type ParseArgsConfig } from "node:util";

import { type Command, type OptionSpecs, UsageError } from "./command.js";

/** What was given. */
export interface Arguments {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

/** Every command has it. */
const help = { type: "boolean", short: "h", help: "says this" } as const;

/** A command's options and `--help`. */
export function optionsOf({ options }: Pick<Command, "options">): OptionSpecs {
  return { ...options, help };
}

/** Reads the arguments behind a command's name; throws a sentence for what it does not know. */
export async function readArguments(command: Command, given: readonly string[]): Promise<Arguments> {
  const args = given.map((word) => (noOption.test(word) ? `${shield}${word}` : word));
  const specs = optionsOf(command);
  // Read leniently first: node's own errors do not know the nearest name.
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
      throw new UsageError(`${token.rawName} takes no value, received "${token.value}".`);
    }
    if (spec.type === "string" && (token.value === undefined || isForgotten(token.value, token.inlineValue))) {
      throw new UsageError(`${token.rawName} needs a value: ${token.rawName} ${spec.value ?? "VALUE"}.`);
    }
  }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const extra = positionals[command.maxPositionals ?? 0];
  if (extra !== undefined && values["help"] !== true) {
    throw new UsageError(`clkit ${command.name} does not know what to do with "${unshielded(extra)}".`);
  }
  const plain = Object.entries(values).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(unshielded) : unshielded(value),
  ]);
  return { values: Object.fromEntries(plain) as Arguments["values"], positionals: positionals.map(unshielded) };
}

/** Numbers, `-1`, `-.5` and `-inf`, and what has a blank in it, `-D N=4`: no option is called so. */
const noOption = /^-(?:\.?\d|inf|[^=]*\s)/iu;

/** Stands before such a word, so that node does not take it for an option. No word of a command line can have it. */
const shield = "\0";

function unshielded<T>(word: T): T {
  return (typeof word === "string" && word.startsWith(shield) ? word.slice(shield.length) : word) as T;
}

/** `--device --json`: the value was forgotten. Who means it writes `--device=--json`. */
function isForgotten(value: string, inline: boolean | undefined): boolean {
  return inline !== true && value.length > 1 && value.startsWith("-");
}

async function unknownOption(rawName: string, specs: OptionSpecs): Promise<UsageError> {
  const { nearestName } = await import("@cl/base");
  const known = Object.entries(specs).flatMap(([name, { short }]) => [`--${name}`, ...(short ? [`-${short}`] : [])]);
  const nearest = rawName.startsWith("--") ? nearestName(rawName, known) : undefined;
  return new UsageError(`There is no option ${rawName}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`);
}
