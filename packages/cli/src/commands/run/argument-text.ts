/**
 * Parses kernel arguments of the command line:
 *
 *     3  -2.5f  0x1f  inf            a number
 *     1,2,3,4                        a vector
 *     data.npy                       memory with the elements of a NumPy file
 *     zeros:TYPE rand:TYPE range:TYPE    memory with generated elements
 *     out:TYPE                       memory with zeros, a result
 *     inout:data.npy inout:rand:TYPE …   memory with these elements, a result
 *     norm:data.npy out:norm:TYPE …  pixels whose integers kernels read as fractions
 *     local:BYTES local:TYPE         local memory
 *     sampler sampler:linear,repeat  a sampler
 *     null                           a null pointer
 *
 * A TYPE is `float32[1024]`, `uint8[480,640]`, or `[1024]` with the element type that the kernel declares. Images take
 * the same arguments as memory.
 */
import { UsageError } from "../../command.js";
import { readSampler, type SamplerText } from "./sampler-text.js";

/** An element type and a shape: `float32[480,640]`. */
export interface TypeText {
  /** Defaults to the element type that the kernel declares. */
  readonly element: string | undefined;
  readonly shape: readonly number[];
}

/** The contents of memory. `normalized` applies to images only. */
export type Content = { readonly normalized?: true } & (
  | { readonly from: "file"; readonly path: string }
  | { readonly from: "zeros" | "rand" | "range"; readonly type: TypeText }
);

/** A parsed argument. */
export type ArgumentText =
  | { readonly kind: "numbers"; readonly numbers: readonly NumberText[] }
  | { readonly kind: "memory"; readonly content: Content; readonly result: boolean }
  | { readonly kind: "local"; readonly size: number | TypeText }
  | { readonly kind: "sampler"; readonly sampler: SamplerText }
  | { readonly kind: "null" };

/** A number. Integers are exact, since they may have 64 bits. */
export type NumberText = number | bigint;

/** Parses one argument. Throws a `UsageError` that lists the valid forms. */
export function readArgument(text: string): ArgumentText {
  if (text === "null") return { kind: "null" };
  const [, keyword = "", rest = ""] = /^(zeros|rand|range|norm|out|inout|local|sampler):(.*)$/su.exec(text) ?? [];
  if (keyword === "local") {
    return { kind: "local", size: /^\d+$/u.test(rest) ? bytesOf(rest, text) : typeOf(rest, text) };
  }
  if (keyword === "sampler" || text === "sampler") return { kind: "sampler", sampler: readSampler(rest, text) };
  if (keyword === "out") return { kind: "memory", content: zerosOf(rest, text), result: true };
  if (keyword === "inout") return { kind: "memory", content: contentOf(rest, text), result: true };
  if (keyword !== "" || isFile(text)) return { kind: "memory", content: contentOf(text, text), result: false };
  const numbers = text.split(",").map(readNumber);
  if (numbers.every((number) => number !== undefined)) return { kind: "numbers", numbers };
  throw new UsageError(
    `${JSON.stringify(text)} is not a valid argument; use a number (3, -2.5f), a vector (1,2,3,4), FILE.npy, zeros:TYPE, ` +
      `rand:TYPE, range:TYPE, out:TYPE, inout:FILE.npy, norm:FILE.npy, local:BYTES, sampler:linear or null, with a TYPE ` +
      `such as float32[1024].`,
  );
}

/** Parses a number in C or JavaScript syntax. Suffixes are ignored, since the kernel declares the type. */
export function readNumber(text: string): NumberText | undefined {
  const special = /^([+-]?)(inf|infinity|nan)$/iu.exec(text);
  if (special !== null) {
    const value = /nan/iu.test(text) ? Number.NaN : Number.POSITIVE_INFINITY;
    return special[1] === "-" ? -value : value;
  }
  const integer = /^([+-]?)(\d+|0x[\da-f]+|0b[01]+)(?:u?l{0,2}|lu)$/iu.exec(text);
  if (integer !== null) {
    const value = BigInt(integer[2] as string);
    // Only floating-point numbers have a negative zero.
    if (value === 0n) return integer[1] === "-" ? -0 : 0;
    return integer[1] === "-" ? -value : value;
  }
  const fraction = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)[fh]?$/iu.exec(text);
  if (fraction === null) return undefined;
  const value = Number(fraction[1]);
  if (!Number.isFinite(value)) {
    throw new UsageError(`${text} exceeds the range of floating-point numbers; use inf for infinity.`);
  }
  return value;
}

export function formatType({ element = "", shape }: TypeText): string {
  return `${element}[${shape.join(",")}]`;
}

/** Parses `TYPE` or `norm:TYPE`. */
function zerosOf(text: string, argument: string): Content {
  const bare = text.replace(/^norm:/u, "");
  return { from: "zeros", type: typeOf(bare, argument), ...(bare === text ? {} : { normalized: true }) };
}

function contentOf(text: string, argument: string): Content {
  if (text.startsWith("norm:")) return { ...contentOf(text.slice("norm:".length), argument), normalized: true };
  if (isFile(text)) return { from: "file", path: text };
  const [, keyword, rest = ""] = /^(zeros|rand|range):(.*)$/su.exec(text) ?? [];
  if (keyword !== undefined) return { from: keyword as "zeros" | "rand" | "range", type: typeOf(rest, argument) };
  throw new UsageError(
    `${JSON.stringify(argument)} does not specify its contents; use inout:FILE.npy, inout:zeros:TYPE, ` +
      `inout:rand:TYPE or inout:range:TYPE.`,
  );
}

function isFile(text: string): boolean {
  return /\.npy$/iu.test(text);
}

function typeOf(text: string, argument: string): TypeText {
  const [, element = "", list] = /^([^[\]]*)\[([\d\s,]+)\]$/u.exec(text) ?? [];
  const shape = list?.split(",").map((item) => (item.trim() === "" ? Number.NaN : Number(item))) ?? [];
  if (shape.length === 0 || !shape.every((size) => Number.isSafeInteger(size) && size > 0)) {
    throw new UsageError(
      `${JSON.stringify(argument)} must have a type with a shape, such as float32[1024], float32[480,640], or [1024] ` +
        `for the element type that the kernel declares.`,
    );
  }
  const count = shape.reduce((product, size) => product * size, 1);
  if (!Number.isSafeInteger(16 * count)) {
    throw new UsageError(`${JSON.stringify(argument)} exceeds the size of any memory.`);
  }
  return { element: element.trim() === "" ? undefined : element.trim(), shape };
}

function bytesOf(text: string, argument: string): number {
  const bytes = Number(text);
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw new UsageError(`${JSON.stringify(argument)} must have a number of bytes of at least 1.`);
}
