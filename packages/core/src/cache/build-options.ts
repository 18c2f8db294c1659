/**
 * What the cache must know of build options: one spelling for each, the directories in which headers are sought, and
 * the options whose effect the cache could not follow.
 */

/**
 * The options in one spelling: trimmed, empty ones dropped, `-I dir` and `-D name` joined into one word. The order
 * stays: a later definition overrides an earlier one. Quotes stay: runtimes differ in what they make of them.
 *
 * @param options - one option each; an option and its value may be one element or two
 */
export function normalizeOptions(options: readonly string[]): string[] {
  const result: string[] = [];
  for (let index = 0; index < options.length; index++) {
    let option = (options[index] ?? "").trim();
    if (option === "") continue;
    if (JOINED.has(option) && index + 1 < options.length) option += (options[++index] ?? "").trim();
    const flag = option.slice(0, 2);
    result.push(JOINED.has(flag) ? flag + option.slice(2).trim() : option);
  }
  return result;
}

/** The directories of the `-I` options, in order, without quotes. Takes normalized options. */
export function includeDirectories(options: readonly string[]): string[] {
  return options
    .map(unquote)
    .filter((option) => option.startsWith("-I"))
    .map((option) => unquote(option.slice(2)));
}

/**
 * The first option that makes the compiler read or write files that the cache does not follow, if there is one; also a
 * text that holds several options, for one of them could be such. Takes normalized options.
 */
export function untraceableOption(options: readonly string[]): string | undefined {
  return options.find((option) => {
    const word = unquote(option);
    if (word === "-I-" || word === "-I" || UNTRACEABLE.test(word)) return true;
    return /\s-/.test(option.replace(/"[^"]*"|'[^']*'/g, ""));
  });
}

const JOINED: ReadonlySet<string> = new Set(["-I", "-D", "-U"]);

// Clang's other ways to name headers, response files, and requests for the compiler's intermediate files: whoever
// asks for those wants the compiler to run.
const UNTRACEABLE =
  /^(?:@|--?(?:include|imacros|isystem|iquote|idirafter|iprefix|iwithprefix|isysroot|sysroot|ivfsoverlay|embed-dir|fmodule|save-temps|dump-)|-F)/;

function unquote(text: string): string {
  const quote = text[0];
  if (text.length >= 2 && (quote === '"' || quote === "'") && text.endsWith(quote)) return text.slice(1, -1);
  return text;
}
