/** Evaluates the constant expressions of `#if`, array lengths and enumerators. */
import type { Token } from "./tokens.js";

/**
 * Returns the value; `undefined` if it depends on an unknown value or is not a constant expression. `valueOf` looks up
 * identifiers.
 */
export function evaluate(tokens: readonly Token[], valueOf: (word: string) => bigint | undefined): bigint | undefined {
  const reader = new Reader(tokens, valueOf);
  const value = reader.conditional(0);
  return reader.isAtEnd ? value : undefined;
}

/** Returns the value of a number token: a decimal, hexadecimal, octal or binary integer with C's suffixes. */
function integerOf(text: string): bigint | undefined {
  const [, digits] = /^(0[xX][\da-fA-F]+|0[bB][01]+|\d+)[uUlL]*$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  if (!/^0\d/.test(digits)) return BigInt(digits);
  return /^[0-7]+$/.test(digits) ? BigInt(`0o${digits.slice(1)}`) : undefined;
}

/** Maximum nesting depth of expressions; deeper ones are not evaluated. */
const maxDepth = 100;

/** Binary operators in order of increasing precedence. */
const levels: readonly Readonly<Record<string, (a: bigint, b: bigint) => bigint | undefined>>[] = [
  { "||": (a, b) => truth(a !== 0n || b !== 0n) },
  { "&&": (a, b) => truth(a !== 0n && b !== 0n) },
  { "|": (a, b) => a | b },
  { "^": (a, b) => a ^ b },
  { "&": (a, b) => a & b },
  { "==": (a, b) => truth(a === b), "!=": (a, b) => truth(a !== b) },
  {
    "<": (a, b) => truth(a < b),
    ">": (a, b) => truth(a > b),
    "<=": (a, b) => truth(a <= b),
    ">=": (a, b) => truth(a >= b),
  },
  { "<<": (a, b) => (b < 64n ? a << b : undefined), ">>": (a, b) => (b < 64n ? a >> b : undefined) },
  { "+": (a, b) => a + b, "-": (a, b) => a - b },
  {
    "*": (a, b) => a * b,
    "/": (a, b) => (b === 0n ? undefined : a / b),
    "%": (a, b) => (b === 0n ? undefined : a % b),
  },
];

class Reader {
  readonly #tokens: readonly Token[];
  readonly #valueOf: (word: string) => bigint | undefined;
  #at = 0;

  constructor(tokens: readonly Token[], valueOf: (word: string) => bigint | undefined) {
    this.#tokens = tokens;
    this.#valueOf = valueOf;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  conditional(depth: number): bigint | undefined {
    const condition = this.#binary(0, depth);
    if (!this.#take("?")) return condition;
    const yes = this.#nested(depth);
    if (!this.#take(":")) return undefined;
    const no = this.#nested(depth);
    return condition === undefined ? (yes === no ? yes : undefined) : condition === 0n ? no : yes;
  }

  #binary(level: number, depth: number): bigint | undefined {
    const operators = levels[level];
    if (operators === undefined) return this.#unary(depth);
    let left = this.#binary(level + 1, depth);
    for (;;) {
      const text = this.#tokens[this.#at]?.text ?? "";
      const operator = Object.hasOwn(operators, text) ? operators[text] : undefined;
      if (operator === undefined) return left;
      this.#at++;
      left = combine(text, operator, left, this.#binary(level + 1, depth));
    }
  }

  #unary(depth: number): bigint | undefined {
    const token = this.#tokens[this.#at++];
    switch (token?.text ?? "") {
      case "!": {
        const value = this.#deeperUnary(depth);
        return value === undefined ? undefined : truth(value === 0n);
      }
      case "-": {
        const value = this.#deeperUnary(depth);
        return value === undefined ? undefined : -value;
      }
      case "~": {
        const value = this.#deeperUnary(depth);
        return value === undefined ? undefined : ~value;
      }
      case "+":
        return this.#deeperUnary(depth);
      case "(": {
        const value = this.#nested(depth);
        return this.#take(")") ? value : undefined;
      }
      default:
    }
    if (token?.kind === "number") return integerOf(token.text);
    return token?.kind === "word" ? this.#valueOf(token.text) : undefined;
  }

  #deeperUnary(depth: number): bigint | undefined {
    return depth > maxDepth ? undefined : this.#unary(depth + 1);
  }

  #nested(depth: number): bigint | undefined {
    return depth > maxDepth ? undefined : this.conditional(depth + 1);
  }

  #take(text: string): boolean {
    if (this.#tokens[this.#at]?.text !== text) return false;
    this.#at++;
    return true;
  }
}

function combine(
  text: string,
  operator: (a: bigint, b: bigint) => bigint | undefined,
  left: bigint | undefined,
  right: bigint | undefined,
): bigint | undefined {
  // One operand may decide the result.
  if (text === "&&" && (left === 0n || right === 0n)) return 0n;
  const isTrue = (value: bigint | undefined): boolean => value !== undefined && value !== 0n;
  if (text === "||" && (isTrue(left) || isTrue(right))) return 1n;
  return left === undefined || right === undefined ? undefined : operator(left, right);
}

function truth(value: boolean): bigint {
  return value ? 1n : 0n;
}
