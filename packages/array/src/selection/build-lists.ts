/** One run of a list builder: counts, starts, and the lists themselves. */
import { dtype } from "@cl/core";
import type { Arrays } from "../array/arrays.js";
import type { DeviceArray } from "../array/device-array.js";
import type { Storage } from "../storage/storage.js";
import type { DTypeName } from "../types/dtype-name.js";
import type { Parameter } from "../user-kernels/kernel-parameter.js";
import { Disposals } from "../array/disposals.js";
import { counting, type ListPlan } from "./list-source.js";
import { ListStarts } from "./list-starts.js";
import { PredicateRead } from "./predicate-read.js";

/** The lists of all objects, stored contiguously. */
export class BuiltList<D extends DTypeName = DTypeName> implements Disposable {
  /** The number of values in all lists. */
  readonly count: number;
  /**
   * Index in `values` where each list starts, followed by the end of the last: int32 if that can hold the count, else
   * int64.
   */
  readonly starts: DeviceArray<"int32" | "int64">;
  /** The values, in the order of the objects. */
  readonly values: DeviceArray<D>;
  /** The indices of objects whose lists are not empty; undefined unless empty lists are eliminated. */
  readonly nonempty: DeviceArray<"int32" | "int64"> | undefined;
  /**
   * For each object, and after the last, the number of preceding objects with nonempty lists: the index of the object's
   * list. Undefined unless empty lists are eliminated.
   */
  readonly compressed: DeviceArray<"int32" | "int64"> | undefined;

  /** @internal */
  constructor(parts: Pick<BuiltList<D>, "starts" | "values" | "nonempty" | "compressed">) {
    this.starts = parts.starts;
    this.values = parts.values;
    this.count = parts.values.size;
    this.nonempty = parts.nonempty;
    this.compressed = parts.compressed;
  }

  /** The number of lists. */
  get lists(): number {
    return this.starts.size - 1;
  }

  /** Releases all arrays. */
  release(): void {
    for (const one of [this.starts, this.values, this.nonempty, this.compressed]) one?.release();
  }

  /** Alias of {@link release}, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }
}

/** What is to be built. */
export interface ListsRun {
  readonly xp: Arrays;
  readonly objects: number;
  /** Those that are wanted. */
  readonly lists: readonly ListPlan[];
  /** Those of which empty ones are left out. */
  readonly sparse: ReadonlySet<string>;
  /** The memory of arguments. */
  readonly reads: readonly Storage[];
  /** Enqueues the counts. */
  readonly count: (counts: ReadonlyMap<string, DeviceArray<"int32">>) => void;
  /** Enqueues the lists. */
  readonly write: (
    starts: ReadonlyMap<string, DeviceArray<"int32" | "int64">>,
    results: ReadonlyMap<string, DeviceArray>,
  ) => void;
}

/** A run whose counts are enqueued. */
interface Building extends Disposable {
  readonly finish: (signal: AbortSignal | undefined) => Promise<Readonly<Record<string, BuiltList>>>;
  readonly finishSync: () => Readonly<Record<string, BuiltList>>;
}

/** Enqueues the counts. What it gives is disposed of when it is done, or given up. */
export function buildLists(run: ListsRun): Building {
  const { xp, objects, lists, sparse, reads } = run;
  const own = counting(lists);
  const all = new Disposals();
  for (const storage of reads) {
    storage.retain();
    all.defer(() => {
      storage.release();
    });
    all.defer(storage.ordering.promise());
  }
  try {
    if (objects === 0) {
      return {
        finish: () => Promise.resolve(nothing(xp, lists, sparse)),
        finishSync: () => nothing(xp, lists, sparse),
        [Symbol.dispose]: () => {
          all[Symbol.dispose]();
        },
      };
    }
    const counts = new Map<string, DeviceArray<"int32">>();
    for (const { name } of own) counts.set(name, all.use(xp.empty([objects], { dtype: "int32" })));
    run.count(counts);
    const starts = new Map<string, ListStarts>();
    const filled = new Map<string, PredicateRead>();
    for (const [name, array] of counts) {
      starts.set(name, all.use(new ListStarts(xp, array)));
      if (sparse.has(name)) filled.set(name, all.use(new PredicateRead(xp, nonzero, argumentsOf(array))));
    }
    return {
      finish: async (signal) => {
        const names = [...starts.keys()];
        const totals = await Promise.all([...starts].map(([name, one]) => one.total(name, signal)));
        const full = await Promise.all(names.map(async (name) => filled.get(name)?.total(signal)));
        return written(run, starts, filled, totals, full);
      },
      finishSync: () => {
        const names = [...starts.keys()];
        const totals = [...starts].map(([name, one]) => one.totalSync(name));
        const full = names.map((name) => filled.get(name)?.totalSync());
        return written(run, starts, filled, totals, full);
      },
      [Symbol.dispose]: () => {
        all[Symbol.dispose]();
      },
    };
  } catch (error) {
    all[Symbol.dispose]();
    throw error;
  }
}

/** Enqueues all that is written, now that it is known how much that is. */
function written(
  { xp, objects, lists, write }: ListsRun,
  counted: ReadonlyMap<string, ListStarts>,
  filled: ReadonlyMap<string, PredicateRead>,
  totals: readonly number[],
  full: readonly (number | undefined)[],
): Readonly<Record<string, BuiltList>> {
  const names = [...counted.keys()];
  const made = new Disposals();
  const ends = new Map<string, DeviceArray<"int32" | "int64">>();
  try {
    for (const [k, [name, one]] of [...counted].entries()) {
      ends.set(name, made.use(one.starts((totals[k] as number) < 2 ** 31 ? "int32" : "int64")));
    }
    const results = new Map<string, DeviceArray>();
    for (const { name, dtype: type, mother } of lists) {
      const total = totals[names.indexOf(mother ?? name)] as number;
      results.set(name, made.use(xp.empty([total], { dtype: type })));
    }
    if (totals.some((total) => total > 0)) write(ends, results);
    const built: Record<string, BuiltList> = {};
    for (const { name, mother } of lists) {
      const by = mother ?? name;
      const k = names.indexOf(by);
      const starts = ends.get(by) as DeviceArray<"int32" | "int64">;
      const values = results.get(name) as DeviceArray;
      const read = filled.get(by);
      const parts =
        read === undefined
          ? { starts: starts.slice(), nonempty: undefined, compressed: undefined }
          : compress(xp, read, starts, totals[k] as number, full[k] as number, objects);
      built[name] = new BuiltList({ ...parts, values: values.slice() });
    }
    return built;
  } finally {
    made[Symbol.dispose]();
  }
}

/** The starts of lists that have values, whose they are, and the number of each object's. */
function compress(
  xp: Arrays,
  read: PredicateRead,
  starts: DeviceArray<"int32" | "int64">,
  total: number,
  full: number,
  objects: number,
): Pick<BuiltList, "starts" | "nonempty" | "compressed"> {
  const dtype = read.countType;
  const made = new Disposals();
  try {
    const some = made.use(xp.empty([full + 1], { dtype: starts.dtype.name }));
    const nonempty = made.use(xp.empty([full], { dtype }));
    const compressed = made.use(xp.empty([objects + 1], { dtype }));
    assignLast(some, total);
    assignLast(compressed, full);
    const start = starts.dtype.name === "int64" ? "long" : "int";
    const to = [some, compressed, ...(full === 0 ? [] : [nonempty])].map((one) => one.operand().storage);
    const from = starts.operand().storage;
    read.write(
      {
        parameters: [
          `__global const ${start} *const all_`,
          `__global ${start} *const some_`,
          "__global count_t_ *const compressed_",
          "__global count_t_ *const nonempty_",
        ],
        item: undefined,
        kept: "some_[at] = all_[n]; nonempty_[at] = n; compressed_[n] = at;",
        other: "compressed_[n] = at;",
      },
      full,
      [from.memory, ...to.map(({ memory }) => memory), ...(full === 0 ? [null] : [])],
      [from],
      to,
    );
    return { starts: some.slice(), nonempty: nonempty.slice(), compressed: compressed.slice() };
  } finally {
    made[Symbol.dispose]();
  }
}

function assignLast(array: DeviceArray<"int32" | "int64">, value: number): void {
  using last = array.slice("-1:");
  last.assign(array.dtype.name === "int64" ? BigInt(value) : value);
}

/** Of no objects. */
function nothing(xp: Arrays, lists: readonly ListPlan[], sparse: ReadonlySet<string>): Record<string, BuiltList> {
  return Object.fromEntries(
    lists.map(({ name, dtype: type, mother }) => {
      const isSparse = sparse.has(mother ?? name);
      return [
        name,
        new BuiltList({
          starts: xp.zeros([1], { dtype: "int32" }),
          values: xp.empty([0], { dtype: type }),
          nonempty: isSparse ? xp.empty([0], { dtype: "int32" }) : undefined,
          compressed: isSparse ? xp.zeros([1], { dtype: "int32" }) : undefined,
        }),
      ];
    }),
  );
}

const item: Parameter = { name: "a", dtype: dtype("int32"), cType: "int", isArray: true, writes: false };
const nonzero = { parameters: [item], predicate: "a[i] != 0", preamble: "", types: [] };

function argumentsOf(array: DeviceArray<"int32">): ConstructorParameters<typeof PredicateRead>[2] {
  const { storage, layout } = array.operand();
  return { arrays: [{ parameter: item, storage, layout, itemSize: 4 }], values: new Map() };
}
