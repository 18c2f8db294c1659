/**
 * OpenCL C of a list builder: the user's code runs twice, once to count the values that each object appends, and once
 * to write them from the start of its lists. In between, the counts are scanned.
 */
import { storedType } from "../kernels/compute-type.js";
import { macros } from "../kernels/macros.js";
import listStarts from "./list-starts.cl";
import sumCounts from "./sum-counts.cl";
import { blockSize, type Parts } from "../scan/parts.js";
import type { DTypeName } from "../types/dtype-name.js";
import { complexNames } from "../user-kernels/kernel-parameter.js";
import type { KernelTexts } from "../user-kernels/kernel-texts.js";
import {
  arrayStatements,
  declared,
  indexType,
  placedText,
  placesType,
  type TextPlan,
} from "../user-kernels/places-source.js";
import { programHead } from "../user-kernels/program-head.js";

/** A list that each object has. */
export interface ListPlan {
  readonly name: string;
  readonly dtype: DTypeName;
  /** The list with the same counts that is appended to before; undefined if this list has separate counts. */
  readonly mother: string | undefined;
}

/**
 * Returns the program of `count_lists_`: the number of values that each object appends to lists with separate counts.
 */
export function countListsSource(texts: KernelTexts, lists: readonly ListPlan[], plan: TextPlan): string {
  const own = counting(lists);
  const macros = lists.map(({ name, mother }) =>
    mother === undefined ? `#define APPEND_${name}(value) (++*${name}_at_)` : `#define APPEND_${name}(value) ((void)0)`,
  );
  const parameters = own.map(({ name }) => `long *const ${name}_at_`);
  const argument = own.map(({ name }) => `${name}_at_`);
  const counts = own.map(({ name }) => `__global int *const ${name}_counts_`);
  return `${head(texts, plan, macros, parameters, argument)}
__kernel void count_lists_(${[...outside(texts), "const Places_ places_", ...counts].join(", ")}) {
  const ${indexType(plan)} n_ = (${indexType(plan)})get_global_id(0);
  if (n_ >= places_.size) return;
${own.map(({ name }) => `  long ${name}_n_ = 0;`).join("\n")}
  generate_(${[...own.map(({ name }) => `&${name}_n_`), ...names(texts)].join(", ")}, places_, n_);
${own.map(({ name }) => `  if (${name}_counts_) ${name}_counts_[n_] = ${name}_n_ > INT_MAX ? -1 : (int)${name}_n_;`).join("\n")}
}
`;
}

/** The program of `write_lists_`. What is appended beyond what was counted is dropped. */
export function writeListsSource(
  texts: KernelTexts,
  lists: readonly ListPlan[],
  plan: TextPlan,
  starts: ReadonlyMap<string, "int32" | "int64">,
): string {
  const own = counting(lists);
  const macros = lists.map(({ name, dtype, mother }) => {
    const by = mother ?? name;
    const store = dtype === "float16" ? `vstore_half_rte((value), at_, ${name}_list_)` : `${name}_list_[at_] = (value)`;
    const at = mother === undefined ? `(*${name}_at_)++` : `*${by}_at_ - 1`;
    return `#define APPEND_${name}(value) do { const long at_ = ${at}; \\
    if (${name}_list_ && at_ >= ${by}_first_ && at_ < ${by}_end_) ${store}; } while (0)`;
  });
  const bounds = own.flatMap(({ name }) => [
    `long *const ${name}_at_`,
    `const long ${name}_first_`,
    `const long ${name}_end_`,
  ]);
  const memory = lists.map((one) => `__global ${elementOf(one)} *const ${one.name}_list_`);
  const argument = [
    ...own.flatMap(({ name }) => [`${name}_at_`, `${name}_first_`, `${name}_end_`]),
    ...lists.map(({ name }) => `${name}_list_`),
  ];
  const firsts = own.map(
    ({ name }) => `__global const ${starts.get(name) === "int64" ? "long" : "int"} *const ${name}_starts_`,
  );
  const given = [
    ...own.flatMap(({ name }) => [`&${name}_n_`, `${name}_from_`, `${name}_to_`]),
    ...lists.map(({ name }) => `${name}_list_`),
    ...names(texts),
  ];
  return `${head(texts, plan, macros, [...bounds, ...memory], argument)}
__kernel void write_lists_(${[...outside(texts), "const Places_ places_", ...firsts, ...memory].join(", ")}) {
  const ${indexType(plan)} n_ = (${indexType(plan)})get_global_id(0);
  if (n_ >= places_.size) return;
${own
  .map(
    ({ name }) => `  const long ${name}_from_ = ${name}_starts_ ? ${name}_starts_[n_] : 0;
  const long ${name}_to_ = ${name}_starts_ ? ${name}_starts_[n_ + 1] : 0;
  long ${name}_n_ = ${name}_from_;`,
  )
  .join("\n")}
  generate_(${given.join(", ")}, places_, n_);
}
`;
}

/** Returns the lists with separate counts. */
export function counting(lists: readonly ListPlan[]): readonly ListPlan[] {
  return lists.filter(({ mother }) => mother === undefined);
}

/** The text becomes a function, in which it may return; functions of somebody's own may append, too. */
function head(
  texts: KernelTexts,
  plan: TextPlan,
  macros: readonly string[],
  parameters: readonly string[],
  argument: readonly string[],
): string {
  const known = [
    ...macros,
    `#define LIST_PARAMETERS ${parameters.join(", ")}`,
    `#define LIST_ARGUMENTS ${argument.join(", ")}`,
  ].join("\n");
  const values = texts.parameters.filter(({ isArray }) => !isArray);
  return `${programHead({ ...texts, preamble: `${known}\n${texts.preamble}` })}
${placesType(plan)}
void generate_(LIST_PARAMETERS, ${[...outside(texts), "const Places_ places_", `const ${indexType(plan)} n_`].join(", ")}) {
${values.map(({ name, cType }) => `  const ${cType} ${name} = ${name}_value_;`).join("\n")}
${arrayStatements(plan)}
${placedText(texts.operation, plan.arrays)}
  ;
}
`;
}

function outside({ parameters }: KernelTexts): readonly string[] {
  return parameters.map((one) => (one.isArray ? declared(one) : `const ${one.cType} ${one.name}_value_`));
}

function names({ parameters }: KernelTexts): readonly string[] {
  return parameters.map(({ name, isArray }) => (isArray ? `${name}_memory_` : `${name}_value_`));
}

function elementOf({ dtype }: ListPlan): string {
  return dtype === "bool" ? "uchar" : (complexNames[dtype] ?? storedType(dtype));
}

/** Work-items of a group. */
export const startsGroup = 256;

/** The program of `sum_counts`: what each part's counts come to. */
export function sumCountsSource(parts: Parts): string {
  return `${macros({ CHUNKS: parts === "chunks", GROUP: startsGroup })}${sumCounts}`;
}

/** The program of `make_starts`: where each object's list starts, and behind the last where it ends. */
export function startsSource(parts: Parts, starts: "int32" | "int64"): string {
  const sizes = { GROUP: startsGroup, PER_ITEM: blockSize / startsGroup };
  return `${macros({ CHUNKS: parts === "chunks", ...sizes, START: starts === "int64" ? "long" : "int" })}${listStarts}`;
}
