/** Specifiers, qualifiers and arithmetic type keywords of declarations. */

/** An address space, access or type qualifier of a declared object. */
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

/**
 * Returns a specifier without underscores; `"none"` for storage classes and function specifiers, `undefined` for other
 * words.
 */
export function specifierOf(word: string): Exclude<Specifier, "pipe"> | "none" | undefined {
  return specifiers.get(word);
}

/** Returns true for keywords of arithmetic types, such as `unsigned`, `long` or `float`. */
export function isArithmetic(word: string): boolean {
  return arithmetic.has(word);
}

/**
 * Returns the short name of a type such as `ulong` for `unsigned long int`; `undefined` if OpenCL C has no such type.
 */
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
