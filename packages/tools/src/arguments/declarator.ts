/** Takes a declaration apart into words. */
import type { AddressSpace } from "./vector-argument.js";
import type { ImageAccess } from "./other-argument.js";

/** The parts of a declaration. */
export interface Declarator {
  readonly name: string;
  /** The type's words, without qualifiers and `struct`. */
  readonly type: string;
  /** `struct`, where it stood. */
  readonly tag: string | undefined;
  readonly isPointer: boolean;
  readonly isPipe: boolean;
  readonly addressSpace: AddressSpace | "private" | undefined;
  readonly access: ImageAccess | undefined;
  /** `const`, `volatile`, `restrict`. */
  readonly qualifiers: readonly string[];
}

/** The parts; `refuse` makes the error for what is no argument's declaration. */
export function readDeclarator(text: string, refuse: (expected: string) => TypeError): Declarator {
  const words: readonly string[] = withoutComments(text).match(/\w+|\.\.\.|\S/g) ?? [];
  const stars = words.filter((word) => word === "*").length;
  if (words.length === 0) throw refuse("a declaration, as float a");
  if (stars > 1) throw refuse("no pointer to a pointer, which kernels do not take");
  if (words.includes("[")) throw refuse("a pointer instead of an array, as float *x");
  if (words.includes("(")) {
    throw refuse("without parentheses: neither attributes nor pointers to functions can be described");
  }
  const strange = words.find((word) => word !== "*" && !/^[A-Za-z_]\w*$/.test(word));
  if (strange !== undefined) throw refuse(`one declaration, as float a; "${strange}" belongs to none`);
  const star = words.indexOf("*");
  const before = star < 0 ? words.slice(0, -1) : words.slice(0, star);
  const after = star < 0 ? words.slice(-1) : words.slice(star + 1);
  const name = after.at(-1);
  if (name === undefined || (star < 0 && before.length === 0)) throw refuse("a type and a name, as float a");
  const sorted = sort(before, refuse);
  if (sorted.type === "") throw refuse("a type and a name, as float a");
  return { ...sorted, name, isPointer: star >= 0, qualifiers: [...sorted.qualifiers, ...ofThePointer(after, refuse)] };
}

type Sorted = Omit<Declarator, "name" | "isPointer">;

function sort(words: readonly string[], refuse: (expected: string) => TypeError): Sorted {
  const type: string[] = [];
  const qualifiers: string[] = [];
  const spaces = new Set<AddressSpace | "private">();
  const accesses = new Set<ImageAccess>();
  let tag: string | undefined;
  let isPipe = false;
  for (const word of words) {
    const bare = word.replace(/^__(?=[a-z])/, "").replace(/__$/, "");
    if (isSpace(bare)) spaces.add(bare);
    else if (isAccess(bare)) accesses.add(bare);
    else if (bare === "const" || bare === "volatile") qualifiers.push(bare);
    else if (bare === "restrict") throw refuse('"restrict" behind the star');
    else if (word === "struct") tag = word;
    else if (word === "pipe") isPipe = true;
    else if (word === "union" || word === "enum") throw refuse(`no ${word}, which has no element type`);
    else type.push(word);
  }
  if (spaces.size > 1) throw refuse("in one address space");
  if (accesses.size > 1) throw refuse("with one access qualifier");
  return {
    type: type.join(" "),
    tag,
    isPipe,
    addressSpace: [...spaces][0],
    access: [...accesses][0],
    qualifiers,
  };
}

/** Whether the pointer itself is constant is the kernel's own business, and says nothing to a caller. */
function ofThePointer(after: readonly string[], refuse: (expected: string) => TypeError): string[] {
  const words = after.slice(0, -1).map((word) => word.replace(/^__/, "").replace(/__$/, ""));
  const strange = words.find((word) => word !== "restrict" && word !== "const");
  if (strange !== undefined) throw refuse(`one declaration, as float a; "${strange}" belongs to none`);
  return words.includes("restrict") ? ["restrict"] : [];
}

function isSpace(word: string): word is AddressSpace | "private" {
  return word === "global" || word === "constant" || word === "local" || word === "private";
}

function isAccess(word: string): word is ImageAccess {
  return word === "read_only" || word === "write_only" || word === "read_write";
}

/** Comments separate words. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, " ");
}
