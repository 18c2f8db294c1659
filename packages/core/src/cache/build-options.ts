/**
 * Analysis of build options for the cache: their normal form, the include directories, and options whose effect the
 * cache cannot track.
 */

/**
 * Normalizes options: trims them, drops empty ones and joins `-I dir` and `-D name` into one word. Keeps the order,
 * because a later definition overrides an earlier one, and the quotes, because runtimes treat them differently.
 *
 * @param options - An option and its value may be one element or two.
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

/** Returns the directories of the `-I` options, in order, without quotes. Takes normalized options. */
export function includeDirectories(options: readonly string[]): string[] {
  return options
    .map(unquote)
    .filter((option) => option.startsWith("-I"))
    .map((option) => unquote(option.slice(2)));
}

/**
 * Returns the first option that may make the compiler read or write files that the cache does not track, if any. This
 * includes texts with several options. Takes normalized options.
 */
export function untraceableOption(options: readonly string[]): string | undefined {
  return options.find((option) => {
    const word = unquote(option);
    if (word === "-I-" || word === "-I" || UNTRACEABLE.test(word)) return true;
    return /\s-/.test(option.replace(/"[^"]*"|'[^']*'/g, ""));
  });
}

const JOINED: ReadonlySet<string> = new Set(["-I", "-D", "-U"]);

// Clang's other include options, response files, and options that write intermediate files, which require a compiler
// run.
const UNTRACEABLE =
  /^(?:@|--?(?:include|imacros|isystem|iquote|idirafter|iprefix|iwithprefix|isysroot|sysroot|ivfsoverlay|embed-dir|fmodule|save-temps|dump-)|-F)/;

function unquote(text: string): string {
  const quote = text[0];
  if (text.length >= 2 && (quote === '"' || quote === "'") && text.endsWith(quote)) return text.slice(1, -1);
  return text;
}
