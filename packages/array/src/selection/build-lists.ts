/** One run of a list builder: counts, starts, and the lists themselves. */
import { dtype } from "@cl/core";
import type { Storage } from "../storage/storage.js";
import type { Parameter } from "../user-kernels/kernel-parameter.js";
import { Disposals } from "../storage/disposals.js";
import { counting, type ListPlan } from "./list-source.js";
import { ListStarts } from "./list-starts.js";
import { PredicateRead } from "./predicate-read.js";
import type { ArrayRef, ArraySource } from "../storage/array-ref.js";
import { fill } from "../elementwise/assign.js";
import { BuiltList, type ListParts } from "../array/built-list.js";

/** What is to be built. */
export interface ListsRun {
  readonly xp: ArraySource;
  readonly objects: number;
  /** Those that are wanted. */
  readonly lists: readonly ListPlan[];
  /** Those of which empty ones are left out. */
  readonly sparse: ReadonlySet<string>;
  /** The memory of arguments. */
  readonly reads: readonly Storage[];
  /** Enqueues the counts. */
  readonly count: (counts: ReadonlyMap<string, ArrayRef<"int32">>) => void;
  /** Enqueues the lists. */
  readonly write: (
    starts: ReadonlyMap<string, ArrayRef<"int32" | "int64">>,
    results: ReadonlyMap<string, ArrayRef>,
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
    const counts = new Map<string, ArrayRef<"int32">>();
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
        const full = await Promise.all(names.map(async (name) => filled.get(name)?.total().value(signal)));
        return written(run, starts, filled, totals, full);
      },
      finishSync: () => {
        const names = [...starts.keys()];
        const totals = [...starts].map(([name, one]) => one.totalSync(name));
        const full = names.map((name) => filled.get(name)?.total().valueSync());
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
  const ends = new Map<string, ArrayRef<"int32" | "int64">>();
  try {
    for (const [k, [name, one]] of [...counted].entries()) {
      ends.set(name, made.use(one.starts((totals[k] as number) < 2 ** 31 ? "int32" : "int64")));
    }
    const results = new Map<string, ArrayRef>();
    for (const { name, dtype: type, mother } of lists) {
      const total = totals[names.indexOf(mother ?? name)] as number;
      results.set(name, made.use(xp.empty([total], { dtype: type })));
    }
    if (totals.some((total) => total > 0)) write(ends, results);
    const built: Record<string, BuiltList> = {};
    for (const { name, mother } of lists) {
      const by = mother ?? name;
      const k = names.indexOf(by);
      const starts = ends.get(by) as ArrayRef<"int32" | "int64">;
      const values = results.get(name) as ArrayRef;
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
  xp: ArraySource,
  read: PredicateRead,
  starts: ArrayRef<"int32" | "int64">,
  total: number,
  full: number,
  objects: number,
): Omit<ListParts, "values"> {
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

function assignLast(array: ArrayRef<"int32" | "int64">, value: number): void {
  using last = array.slice("-1:");
  fill(last, array.dtype.name === "int64" ? BigInt(value) : value);
}

/** Of no objects. */
function nothing(xp: ArraySource, lists: readonly ListPlan[], sparse: ReadonlySet<string>): Record<string, BuiltList> {
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

function argumentsOf(array: ArrayRef<"int32">): ConstructorParameters<typeof PredicateRead>[2] {
  const { storage, layout } = array.operand();
  return { arrays: [{ parameter: item, storage, layout, itemSize: 4 }], values: new Map() };
}
