/** The words of a declaration that are neither names nor types of a source. */

/** What a word says about a declared object besides its type. */
export type Specifier =
  | "global"
  | "local"
  | "constant"
  | "private"
  | "generic"
  | "read_only"
  | "write_only"
  | "read_write"
  | "const"
  | "volatile"
  | "restrict"
  | "pipe";

/** Returns what a word says, without its underscores; `"none"` for one that is only about storage or the function. */
export function specifierOf(word: string): Exclude<Specifier, "pipe"> | "none" | undefined {
  return specifiers.get(word);
}

/** Returns true for a word of which C makes numeric types. */
export function isArithmetic(word: string): boolean {
  return arithmetic.has(word);
}

/** Returns the short name of a type of such words: `ulong` for `unsigned long int`. Undefined for what OpenCL C does not have. */
export function arithmeticName(words: readonly string[]): string | undefined {
  const signs = words.filter((word) => /^(?:__)?(?:un)?signed(?:__)?$/.test(word));
  const ints = words.filter((word) => word === "int");
  const [size, ...others] = words.filter((word) => !signs.includes(word) && word !== "int");
  if (signs.length > 1 || ints.length > 1 || others.length > 0) return undefined;
  const [sign] = signs;
  if (sign === undefined && ints.length === 0) return size === "_Bool" ? "bool" : size;
  const name = size ?? "int";
  const isInteger = size === undefined || size === "short" || size === "long" || (size === "char" && ints.length === 0);
  if (!isInteger) return undefined;
  return sign === "unsigned" ? `u${name}` : name;
}

const specifiers: ReadonlyMap<string, Exclude<Specifier, "pipe"> | "none"> = new Map([
  ...(["global", "local", "constant", "private", "generic", "read_only", "write_only", "read_write"] as const).flatMap(
    (name) => [name, `__${name}`].map((word) => [word, name] as const),
  ),
  ...(["const", "volatile", "restrict"] as const).flatMap((name) =>
    [name, `__${name}`, `__${name}__`].map((word) => [word, name] as const),
  ),
  ...["inline", "static", "extern", "register", "typedef", "kernel", "__kernel"].map((word) => [word, "none"] as const),
]);

const arithmetic: ReadonlySet<string> = new Set(
  "char short int long float double half signed unsigned __signed __signed__ bool _Bool void".split(" "),
);
