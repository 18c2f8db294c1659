/** Random programs of operators, views, stores and reads, which run with arrays and with NumPy. */
import type { AnyArray, Arrays, DeviceArray } from "@cl/array";

import { counted, countedText, Draw } from "./numpy-eval.js";

/** A result: its dtype, shape and bytes. */
export interface Reading {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly hex: string;
}

export interface Program {
  /** Statements that pass arrays to `read`. */
  readonly python: string;
  /** Returns what `read` gets. */
  run(xp: Arrays, other: Arrays): Promise<readonly Reading[]>;
}

const types = ["float32", "int32", "float64", "uint8"] as const;
type Type = (typeof types)[number];

/** The dtype of results of two arrays. */
function promoted(a: Type, b: Type): Type {
  if (a === b || b === "uint8") return a;
  return a === "uint8" ? b : "float64";
}

const isFloat = (type: Type): boolean => type.startsWith("float");

/** What a program works on. */
interface State {
  readonly xp: Arrays;
  /** The factory of another queue. */
  readonly other: Arrays;
  readonly all: DeviceArray[];
  readonly reads: Promise<Reading>[];
}

interface Part {
  readonly python: string;
  readonly ours: (state: State) => DeviceArray;
}

const count = 8;
const columns = 64;

/** Returns a program of a number of steps. */
export function randomProgram(seed: number, steps: number): Program {
  // Numbers from small seeds are alike.
  const draw = new Draw(Math.imul(2 * seed + 1, 0x9e_37_79_b1));
  const rows = draw.integer(5, 16);
  const dtypes: Type[] = Array.from({ length: count }, (_, k) => types[k % types.length] as Type);
  const lines: string[] = dtypes.map((dtype, k) => `v${k} = ${countedText([rows, columns], dtype)} % ${k + 3}`);
  const actions: ((state: State) => Promise<unknown> | void)[] = [];

  const one = (): number => draw.integer(0, count - 1);
  const like = (dtype: Type): number => draw.of(dtypes.flatMap((type, k) => (type === dtype ? [k] : [])));
  const whole = (k: number): Part => ({ python: `v${k}`, ours: ({ all }) => all[k] as DeviceArray });
  const reversed = (k: number): Part => ({
    python: `v${k}[::-1]`,
    ours: ({ all }) => (all[k] as DeviceArray).slice("::-1"),
  });
  const turned = (k: number): Part => ({
    python: `v${k}[:, ::-1]`,
    ours: ({ all }) => (all[k] as DeviceArray).T.slice("::-1").T,
  });
  const row = (k: number): Part => {
    const at = draw.integer(0, rows - 1);
    return { python: `v${k}[${at}]`, ours: ({ all }) => (all[k] as DeviceArray).slice(at) };
  };
  const largest = (k: number): Part => ({
    python: `v${k}.max(axis=1, keepdims=True)`,
    ours: ({ all }) => (all[k] as DeviceArray).max({ axis: 1, keepDims: true }),
  });
  const operand = (k: number): Part => draw.of([whole, whole, whole, reversed, turned, row, largest])(k);

  const binary = { add: "+", sub: "-", mul: "*" } as const;
  const limits = { maximum: "np.maximum", minimum: "np.minimum" } as const;

  /** An expression of new elements, and its dtype. */
  const value = (): readonly [Part, Type] => {
    const [a, b] = [one(), one()];
    const [left, right] = [draw.of([whole, reversed])(a), operand(b)];
    const [type, both] = [dtypes[a] as Type, promoted(dtypes[a] as Type, dtypes[b] as Type)];
    const number = draw.integer(1, 5);
    const kinds: (() => readonly [string, Part["ours"], Type])[] = [
      () => {
        const name = draw.of(["add", "sub", "mul"] as const);
        return [`${left.python} ${binary[name]} ${right.python}`, (s) => left.ours(s)[name](right.ours(s)), both];
      },
      () => {
        const name = draw.of(["maximum", "minimum"] as const);
        return [`${limits[name]}(${left.python}, ${right.python})`, (s) => left.ours(s)[name](right.ours(s)), both];
      },
      () => [`${left.python} + ${number}`, (s) => left.ours(s).add(number), type],
      () => [`${left.python} / 3`, (s) => left.ours(s).div(3), isFloat(type) ? type : "float64"],
      () => [`np.clip(${left.python}, 1, 9)`, (s) => left.ours(s).clip(1, 9), type],
      () => [
        `np.where(${left.python} < ${right.python}, ${left.python}, ${right.python})`,
        (s) => s.xp.where(left.ours(s).less(right.ours(s)), left.ours(s), right.ours(s)),
        both,
      ],
      () => [
        `np.sqrt(np.clip(${left.python}, 0, 99).astype("float32"))`,
        (s) => left.ours(s).clip(0, 99).astype("float32").sqrt(),
        "float32",
      ],
      () => [
        `(${left.python} < ${right.python}).astype("uint8")`,
        (s) => left.ours(s).less(right.ours(s)).astype("uint8"),
        "uint8",
      ],
      () => [
        `v${a} + v${b}`,
        (s) => {
          const [x, y] = [a, b].map((k) => (s.all[k] as DeviceArray).withQueue(s.other.queue)) as [
            DeviceArray,
            DeviceArray,
          ];
          return x.add(y).withQueue(s.xp.queue);
        },
        both,
      ],
    ];
    const [python, ours, dtype] = draw.of(kinds)();
    return [{ python, ours }, dtype];
  };

  const replace = (): void => {
    const k = one();
    const [{ python, ours }, dtype] = value();
    const isReleased = draw.integer(0, 1) === 1;
    lines.push(`v${k} = ${python}`);
    actions.push((state) => {
      const [old, made] = [state.all[k] as DeviceArray, ours(state)];
      state.all[k] = made;
      if (isReleased && !state.all.includes(old)) old.release();
    });
    dtypes[k] = dtype;
  };

  /** Changes elements of one of the arrays. Arrays that masks wait for must not be changed, so these are awaited. */
  const store = (): void => {
    const a = one();
    const [b, c] = [like(dtypes[a] as Type), like(dtypes[a] as Type)];
    const number = draw.integer(1, 5);
    const target = (state: State): DeviceArray => state.all[a] as DeviceArray;
    const [from, to] = [draw.of([whole, reversed, turned])(b), draw.of([whole, reversed, turned])(a)];
    const [python, ours] = draw.of<readonly [string, (state: State) => unknown]>([
      [`v${a}[1] = ${number}`, (s) => target(s).slice(1).assign(number)],
      [
        `v${a}[1:] = v${b}[:-1]`,
        (s) =>
          target(s)
            .slice("1:")
            .assign((s.all[b] as DeviceArray).slice(":-1")),
      ],
      [`np.add(${from.python}, ${number}, out=${to.python})`, (s) => from.ours(s).add(number, { out: to.ours(s) })],
      [
        `np.maximum(${from.python}, v${c}, out=${to.python})`,
        (s) => from.ours(s).maximum(s.all[c] as DeviceArray, { out: to.ours(s) }),
      ],
      [
        `v${a}[...] = v${b}`,
        (s) =>
          target(s)
            .withQueue(s.other.queue)
            .assign(s.all[b] as DeviceArray),
      ],
    ]);
    lines.push(python);
    actions.push(async (state) => {
      await Promise.all(state.reads);
      ours(state);
    });
  };

  /** Reads one of the arrays, or what is computed from it. Waits for the elements, or continues without. */
  const read = (): void => {
    const k = one();
    const isAwaited = draw.integer(0, 1) === 1;
    const of = (state: State): DeviceArray => state.all[k] as DeviceArray;
    const [python, ours] = draw.of<readonly [string, (state: State) => AnyArray | Promise<AnyArray>]>([
      [`v${k}`, of],
      [`v${k}.T`, (s) => of(s).T],
      [`v${k}[v${k} > 3]`, (s) => of(s).at(of(s).greater(3))],
      [`(v${k} * 2).max()`, (s) => of(s).mul(2).max()],
      ...(isFloat(dtypes[k] as Type)
        ? []
        : ([
            [`(v${k} * v${k}).sum(axis=0)`, (s: State) => of(s).mul(of(s)).sum({ axis: 0 })],
            [`np.cumsum(v${k} + 1, axis=1)`, (s: State) => of(s).add(1).cumsum({ axis: 1 })],
          ] as const)),
    ]);
    lines.push(`read(${python})`);
    actions.push((state) => {
      const reading = readingOf(ours(state));
      state.reads.push(reading);
      return isAwaited ? reading : undefined;
    });
  };

  for (let step = 0; step < steps; step++) draw.of([replace, replace, replace, store, read])();
  for (let k = count - 1; k >= 0; k--) lines.push(`read(v${k})`);

  return {
    python: lines.join("\n"),
    async run(xp, other) {
      const all = Array.from({ length: count }, (_, k) => {
        const dtype = types[k % types.length] as Type;
        return xp
          .asArray(counted([rows, columns], dtype))
          .copy()
          .remainder(k + 3) as DeviceArray;
      });
      const state: State = { xp, other, all, reads: [] };
      for (const action of actions) await action(state);
      for (const array of state.all.toReversed()) state.reads.push(readingOf(array));
      return Promise.all(state.reads);
    },
  };
}

async function readingOf(given: AnyArray | Promise<AnyArray>): Promise<Reading> {
  const array = given instanceof Promise ? await given : given;
  const { buffer, byteOffset, byteLength } = await array.data();
  return {
    dtype: array.dtype.name,
    shape: array.shape,
    hex: Buffer.from(buffer, byteOffset, byteLength).toString("hex"),
  };
}
