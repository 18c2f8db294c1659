/**
 * The words for kernels' arguments on a command line:
 *
 *     3  -2.5f  0x1f  inf            a number
 *     1,2,3,4                        a vector
 *     data.npy                       memory with the elements of a file of NumPy's
 *     zeros:TYPE rand:TYPE range:TYPE    memory with such elements
 *     out:TYPE                       memory with zeros, which is a result
 *     inout:data.npy inout:rand:TYPE …   memory with elements, which is a result
 *     norm:data.npy out:norm:TYPE …  pixels whose integers kernels read as fractions
 *     local:BYTES local:TYPE         local memory
 *     sampler sampler:linear,repeat  a sampler
 *     null                           no memory
 *
 * A TYPE is `float32[1024]`, `uint8[480,640]`, or `[1024]` of what the kernel declares. An image takes what memory takes.
 */
import { UsageError } from "../../command.js";
import { readSampler, type SamplerText } from "./sampler-text.js";

/** Elements and how many: `float32[480,640]`. */
export interface TypeText {
  /** Left out: what the kernel declares. */
  readonly element: string | undefined;
  readonly extents: readonly number[];
}

/** Where the elements of memory come from. `normalized` is for images. */
export type Content = { readonly normalized?: true } & (
  | { readonly from: "file"; readonly path: string }
  | { readonly from: "zeros" | "rand" | "range"; readonly type: TypeText }
);

/** An argument as it was read. */
export type ArgumentText =
  | { readonly kind: "numbers"; readonly numbers: readonly NumberText[] }
  | { readonly kind: "memory"; readonly content: Content; readonly result: boolean }
  | { readonly kind: "local"; readonly size: number | TypeText }
  | { readonly kind: "sampler"; readonly sampler: SamplerText }
  | { readonly kind: "null" };

/** A number: integers exactly, since they may have 64 bits. */
export type NumberText = number | bigint;

/** Reads one argument; what is none is an error that says what there is. */
export function readArgument(text: string): ArgumentText {
  if (text === "null") return { kind: "null" };
  const [, word = "", rest = ""] = /^(zeros|rand|range|norm|out|inout|local|sampler):(.*)$/su.exec(text) ?? [];
  if (word === "local") return { kind: "local", size: /^\d+$/u.test(rest) ? bytesOf(rest, text) : typeOf(rest, text) };
  if (word === "sampler" || text === "sampler") return { kind: "sampler", sampler: readSampler(rest, text) };
  if (word === "out") return { kind: "memory", content: zerosOf(rest, text), result: true };
  if (word === "inout") return { kind: "memory", content: contentOf(rest, text), result: true };
  if (word !== "" || isFile(text)) return { kind: "memory", content: contentOf(text, text), result: false };
  const numbers = text.split(",").map(readNumber);
  if (numbers.every((number) => number !== undefined)) return { kind: "numbers", numbers };
  throw new UsageError(
    `${JSON.stringify(text)} is no argument: there are numbers (3, -2.5f), vectors (1,2,3,4), FILE.npy, zeros:TYPE, ` +
      `rand:TYPE, range:TYPE, out:TYPE, inout:FILE.npy, norm:FILE.npy, local:BYTES, sampler:linear and null, with a TYPE ` +
      `such as float32[1024].`,
  );
}

/** A number as C and JavaScript write it; the letters behind C's are not needed, since the kernel says the type. */
export function readNumber(text: string): NumberText | undefined {
  const named = /^([+-]?)(inf|infinity|nan)$/iu.exec(text);
  if (named !== null) {
    const value = /nan/iu.test(text) ? Number.NaN : Number.POSITIVE_INFINITY;
    return named[1] === "-" ? -value : value;
  }
  const whole = /^([+-]?)(\d+|0x[\da-f]+|0b[01]+)(?:u?l{0,2}|lu)$/iu.exec(text);
  if (whole !== null) {
    const value = BigInt(whole[2] as string);
    // Zero has a sign among floating-point numbers only.
    if (value === 0n) return whole[1] === "-" ? -0 : 0;
    return whole[1] === "-" ? -value : value;
  }
  const fraction = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)[fh]?$/iu.exec(text);
  if (fraction === null) return undefined;
  const value = Number(fraction[1]);
  if (!Number.isFinite(value)) {
    throw new UsageError(`${text} is more than floating-point numbers reach: inf is infinite.`);
  }
  return value;
}

/** How a type is written. */
export function typeWords({ element = "", extents }: TypeText): string {
  return `${element}[${extents.join(",")}]`;
}

/** `TYPE` or `norm:TYPE`. */
function zerosOf(text: string, whole: string): Content {
  const bare = text.replace(/^norm:/u, "");
  return { from: "zeros", type: typeOf(bare, whole), ...(bare === text ? {} : { normalized: true }) };
}

function contentOf(text: string, whole: string): Content {
  if (text.startsWith("norm:")) return { ...contentOf(text.slice("norm:".length), whole), normalized: true };
  if (isFile(text)) return { from: "file", path: text };
  const [, word, rest = ""] = /^(zeros|rand|range):(.*)$/su.exec(text) ?? [];
  if (word !== undefined) return { from: word as "zeros" | "rand" | "range", type: typeOf(rest, whole) };
  throw new UsageError(
    `${JSON.stringify(whole)} does not say where its elements come from: inout:FILE.npy, inout:zeros:TYPE, ` +
      `inout:rand:TYPE and inout:range:TYPE do.`,
  );
}

function isFile(text: string): boolean {
  return /\.npy$/iu.test(text);
}

function typeOf(text: string, whole: string): TypeText {
  const [, element = "", list] = /^([^[\]]*)\[([\d\s,]+)\]$/u.exec(text) ?? [];
  const extents = list?.split(",").map((one) => (one.trim() === "" ? Number.NaN : Number(one))) ?? [];
  if (extents.length === 0 || !extents.every((extent) => Number.isSafeInteger(extent) && extent > 0)) {
    throw new UsageError(
      `${JSON.stringify(whole)} needs a type with its extents, as in float32[1024], float32[480,640] or, of what the ` +
        `kernel declares, [1024].`,
    );
  }
  const count = extents.reduce((product, extent) => product * extent, 1);
  if (!Number.isSafeInteger(16 * count)) throw new UsageError(`${JSON.stringify(whole)} is more than any memory has.`);
  return { element: element.trim() === "" ? undefined : element.trim(), extents };
}

function bytesOf(text: string, whole: string): number {
  const bytes = Number(text);
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw new UsageError(`${JSON.stringify(whole)} needs a number of bytes that is not 0.`);
}
