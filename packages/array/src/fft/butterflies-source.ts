/**
 * OpenCL C of transforms of a few elements, unrolled. The same code serves scalars and vectors: `V` is the type of a
 * real or imaginary part.
 */
import { generated, macros } from "../kernels/macros.js";
import pair from "./pair.cl";

/** The real types in which transforms are computed. */
export type RealType = "float" | "double";

/** A complex number in the text: the names of its parts. */
interface Term {
  readonly re: string;
  readonly im: string;
}

/** A literal of the type. */
function literal(value: number, real: RealType): string {
  const text = Number.isInteger(value) ? value.toFixed(1) : String(value);
  return real === "float" ? `${text}f` : text;
}

/** The function that transforms `radix` elements in their places. */
export function butterflySource(radix: number, real: RealType): string {
  const writer = new Writer(real);
  const inputs = Array.from({ length: radix }, (_, j) => writer.read(j));
  const outputs = writer.transform(inputs);
  const stores = outputs.map(({ re, im }, k) => `  x[${k}].re = ${re}; x[${k}].im = ${im};`);
  return generated(`void butterfly_${radix}(__private Pair *const x) {
${writer.lines.join("\n")}
${stores.join("\n")}
}`);
}

/** The types of the functions above. */
export function butterflyTypes(vector: string): string {
  return `${macros({ V: vector })}${pair}`;
}

/** Writes the statements of a transform. */
class Writer {
  readonly lines: string[] = [];
  readonly #real: RealType;
  #names = 0;

  constructor(real: RealType) {
    this.#real = real;
  }

  read(j: number): Term {
    return this.#term(`x[${j}].re`, `x[${j}].im`);
  }

  /** Returns the transform of the terms; composite lengths are computed from their factors. */
  transform(inputs: readonly Term[]): readonly Term[] {
    const n = inputs.length;
    if (n === 1) return inputs;
    if (n === 2) return this.#two(inputs as readonly [Term, Term]);
    if (n === 4) return this.#four(inputs as readonly [Term, Term, Term, Term]);
    const factor = [4, 2, 3, 5, 7, 11, 13].find((one) => n % one === 0) ?? n;
    return factor === n ? this.#odd(inputs) : this.#product(inputs, factor);
  }

  #two([a, b]: readonly [Term, Term]): readonly Term[] {
    return [this.#sum(a, b), this.#difference(a, b)];
  }

  #four([x0, x1, x2, x3]: readonly [Term, Term, Term, Term]): readonly Term[] {
    const [a, b] = [this.#sum(x0, x2), this.#difference(x0, x2)];
    const [c, d] = [this.#sum(x1, x3), this.#difference(x1, x3)];
    return [
      this.#sum(a, c),
      this.#term(`${b.re} + ${d.im}`, `${b.im} - ${d.re}`),
      this.#difference(a, c),
      this.#term(`${b.re} - ${d.im}`, `${b.im} + ${d.re}`),
    ];
  }

  /** Elements j and n - j have the same cosines, and sines of opposite sign. */
  #odd(inputs: readonly Term[]): readonly Term[] {
    const n = inputs.length;
    const half = (n - 1) / 2;
    const first = inputs[0] as Term;
    const pairs = Array.from({ length: half }, (_, j) => [inputs[j + 1], inputs[n - 1 - j]] as [Term, Term]);
    const sums = pairs.map(([a, b]) => this.#sum(a, b));
    const differences = pairs.map(([a, b]) => this.#difference(a, b));
    const outputs: Term[] = [sums.reduce((total, one) => this.#sum(total, one), first)];
    for (let k = 1; k <= half; k++) {
      const angle = (j: number): number => (2 * Math.PI * (((j + 1) * k) % n)) / n;
      const even = (part: "re" | "im"): string =>
        sums.reduce((text, one, j) => `${text} + ${this.#literal(Math.cos(angle(j)))} * ${one[part]}`, first[part]);
      const odd = (part: "re" | "im"): string =>
        differences.map((one, j) => `${this.#literal(Math.sin(angle(j)))} * ${one[part]}`).join(" + ");
      const a = this.#term(even("re"), even("im"));
      const b = this.#term(odd("im"), odd("re"));
      outputs[k] = this.#term(`${a.re} + ${b.re}`, `${a.im} - ${b.im}`);
      outputs[n - k] = this.#term(`${a.re} - ${b.re}`, `${a.im} + ${b.im}`);
    }
    return outputs;
  }

  #product(inputs: readonly Term[], factor: number): readonly Term[] {
    const n = inputs.length;
    const rest = n / factor;
    const columns = Array.from({ length: rest }, (_, b) => {
      const column = this.transform(Array.from({ length: factor }, (_one, a) => inputs[b + rest * a] as Term));
      return column.map((term, k) => this.#turned(term, (b * k) % n, n));
    });
    const outputs: Term[] = [];
    for (let k = 0; k < factor; k++) {
      const row = this.transform(columns.map((column) => column[k] as Term));
      for (const [j, term] of row.entries()) outputs[k + factor * j] = term;
    }
    return outputs;
  }

  /** Turned back by a part of a full turn. */
  #turned(term: Term, part: number, whole: number): Term {
    const { re, im } = term;
    const eighth = (8 * part) / whole;
    if (part === 0) return term;
    if (eighth === 2) return this.#term(im, `-${re}`);
    if (eighth === 4) return this.#term(`-${re}`, `-${im}`);
    if (eighth === 6) return this.#term(`-${im}`, re);
    const root = this.#literal(Math.SQRT1_2);
    if (eighth === 1) return this.#term(`${root} * (${re} + ${im})`, `${root} * (${im} - ${re})`);
    if (eighth === 3) return this.#term(`${root} * (${im} - ${re})`, `${root} * (-${re} - ${im})`);
    const angle = (-2 * Math.PI * part) / whole;
    const [c, s] = [this.#literal(Math.cos(angle)), this.#literal(Math.sin(angle))];
    return this.#term(`${re} * ${c} - ${im} * ${s}`, `${re} * ${s} + ${im} * ${c}`);
  }

  #sum(a: Term, b: Term): Term {
    return this.#term(`${a.re} + ${b.re}`, `${a.im} + ${b.im}`);
  }

  #difference(a: Term, b: Term): Term {
    return this.#term(`${a.re} - ${b.re}`, `${a.im} - ${b.im}`);
  }

  #term(re: string, im: string): Term {
    const name = this.#names++;
    this.lines.push(`  const V r${name} = ${re}, i${name} = ${im};`);
    return { re: `r${name}`, im: `i${name}` };
  }

  #literal(value: number): string {
    return `(${literal(value, this.#real)})`;
  }
}
