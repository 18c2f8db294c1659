/**
 * OpenCL C of scans on GPUs: work-groups process tiles of adjacent elements. The tiles' totals are computed first, then
 * scanned by one work-group, and then each tile is scanned. Loads and stores are coalesced; in between, local memory
 * exchanges elements so that each work-item has some adjacent ones.
 */
import { generated, macros } from "../kernels/macros.js";
import groupParts from "./group-parts.cl";
import { partBytes, placesOf, scanHead, type ScanTexts } from "./scan-texts.js";

/** How a group works. */
export interface GroupShape {
  readonly group: number;
  /** Number of adjacent elements of each work-item. */
  readonly each: number;
  /** True if rows follow one another in a tile. */
  readonly rows: boolean;
}

/** So much local memory is used at most, so that several groups fit. */
const localBytes = 24 * 1024;

/** Work-items and elements that fit. */
export function groupShape(texts: ScanTexts, most: number, rows: boolean): GroupShape {
  const { itemBytes } = texts;
  const each = itemBytes <= 4 ? 16 : itemBytes <= 8 ? 8 : itemBytes <= 16 ? 4 : 1;
  const bytes = itemBytes * (each + 1) + each + 2 * partBytes(texts, rows || texts.start !== undefined);
  const group = 2 ** Math.floor(Math.log2(Math.max(1, Math.min(256, most, Math.floor(localBytes / bytes)))));
  return { group, each, rows };
}

/** The program: `scan_totals`, `scan_parts` and `scan_items`. */
export function groupScanSource(texts: ScanTexts, shape: GroupShape): string {
  const { group, each, rows } = shape;
  const { parameters, short, start, value, usesPrev, usesLast } = texts;
  const segments = rows || start !== undefined;
  const index = short ? "int" : "long";
  const declarations = [
    ...parameters,
    "__global Part_ *const parts_",
    `const ${index} length_`,
    `const ${index} size_`,
    "const int tiles_",
  ].join(", ");
  const attribute = `__attribute__((reqd_work_group_size(${group}, 1, 1)))`;
  const local = `  __local Item_ rows_[PADDED_(TILE_)];
  __local Part_ sums_[2 * GROUP_];
  ${start === undefined ? "" : "__local uchar starts_[TILE_];"}
  const int me_ = (int)get_local_id(0);
  const ${index} begin_ = (${index})get_group_id(0) * TILE_;`;
  const elementwise = `  for (int k = 0; k < EACH_; k++) {
    const int j_ = k * GROUP_ + me_;
    const ${index} n_ = begin_ + j_;
    Item_ own_ = identity_();
    ${start === undefined ? "" : "uchar starts_here_ = 0;"}
    if (n_ < size_) {
      ${placesOf(texts, index)}
      const Item_ value_ = ${value};
      own_ = value_;
      ${start === undefined ? "" : `starts_here_ = (${start}) ? 1 : 0;`}
    }
    rows_[PADDED_(j_)] = own_;
    ${start === undefined ? "" : "starts_[j_] = starts_here_;"}
  }`;
  const load = `${start === undefined ? wholeTiles(quadLoads(texts, each, index), elementwise) : elementwise}
  barrier(CLK_LOCAL_MEM_FENCE);`;
  const results = `  for (int k = 0; k < EACH_; k++) {
    const int j_ = k * GROUP_ + me_;
    const ${index} n_ = begin_ + j_;
    if (n_ >= size_) break;
    ${placesOf(texts, index)}
    const Item_ item_ = rows_[PADDED_(j_)];
    ${usesPrev ? previous(start !== undefined, rows) : ""}
    ${texts.output}
  }`;
  const starts = [...(start === undefined ? [] : [`starts_[first_ + k]`]), ...(rows ? ["at_ == 0"] : [])].join(" || ");
  const before = rows ? `${index} at_ = (begin_ + first_) % length_;` : "";
  const next = rows ? "if (++at_ == length_) at_ = 0;" : "";
  const ownTotal = `  const int first_ = me_ * EACH_;
  Part_ total_ = NOTHING_;
  {
    ${before}
    for (int k = 0; k < EACH_; k++) {
      const Part_ own_ = PART_(rows_[PADDED_(first_ + k)], ${starts || "0"});
      total_ = JOIN_(total_, own_);
      ${next}
    }
  }`;
  return `${scanHead(texts, segments)}
${macros({ GROUP_: group, EACH_: each })}${groupParts}${generated("")}
__kernel ${attribute} void scan_totals(${declarations}) {
${texts.commutative && !segments ? commutativeTotals(texts, each, index) : `${local}\n${load}\n${ownTotal}\n${orderedTotal}`}
}

__kernel ${attribute} void scan_items(${declarations}) {
${local}
${load}
${ownTotal}
  Part_ all_;
  Part_ before_ = before_me_(sums_, total_, &all_);
  Part_ carried_ = NOTHING_;
  if (tiles_ > 1) carried_ = parts_[get_group_id(0)];
  before_ = JOIN_(carried_, before_);
  {
    ${before}
    for (int k = 0; k < EACH_; k++) {
      const Part_ own_ = PART_(rows_[PADDED_(first_ + k)], ${starts || "0"});
      before_ = JOIN_(before_, own_);
      rows_[PADDED_(first_ + k)] = VALUE_(before_);
      ${next}
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  ${usesLast ? "const Item_ last_ = VALUE_(parts_[tiles_]);" : ""}
${usesPrev ? results : wholeTiles(quadStores(texts, each, index), results)}
}
`;
}

/** The first way for tiles that are whole, if there is one. */
function wholeTiles(quads: string | undefined, others: string): string {
  if (quads === undefined) return others;
  return `  if (begin_ + TILE_ <= size_) {
${quads}
  } else {
${others}
  }`;
}

function quadLoads({ quads }: ScanTexts, each: number, index: string): string | undefined {
  const load = quads?.load;
  if (load === undefined || each % load.width !== 0) return undefined;
  const items = Array.from(
    { length: load.width },
    (_, v) => `      rows_[PADDED_(j_ + ${v})] = ${load.item(`quad_.s${v}`)};`,
  );
  return `    _Pragma("unroll") for (int k = 0; k < ${each / load.width}; k++) {
      const int j_ = (k * GROUP_ + me_) * ${load.width};
      const ${index} n_ = begin_ + j_;
      const ${load.type} quad_ = ${load.vector};
${items.join("\n")}
    }`;
}

function quadStores({ quads }: ScanTexts, each: number, index: string): string | undefined {
  const store = quads?.store;
  if (store === undefined || each % store.width !== 0) return undefined;
  const results = Array.from({ length: store.width }, (_, v) => store.result(`rows_[PADDED_(j_ + ${v})]`));
  return `    _Pragma("unroll") for (int k = 0; k < ${each / store.width}; k++) {
      const int j_ = (k * GROUP_ + me_) * ${store.width};
      const ${index} n_ = begin_ + j_;
      *(__global ${store.type} *)(${store.place}) = (${store.type})(${results.join(", ")});
    }`;
}

function previous(starts: boolean, rows: boolean): string {
  const begins = [...(starts ? ["starts_[j_]"] : []), ...(rows ? ["n_ % length_ == 0"] : [])].join(" || ");
  const before = "Item_ prev_ = VALUE_(carried_);\n    if (j_ > 0) prev_ = rows_[PADDED_(j_ - 1)];";
  return begins === "" ? before : `${before}\n    if (${begins}) prev_ = identity_();`;
}

/** Totals of work-items become one, in their order. */
const orderedTotal = `  sums_[me_] = total_;
  for (int step = 1; step < GROUP_; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me_ % (2 * step) == 0) sums_[me_] = JOIN_(sums_[me_], sums_[me_ + step]);
  }
  if (me_ == 0) parts_[get_group_id(0)] = sums_[0];`;

/** Where the order is nothing to wait for, each work-item takes what comes. */
function commutativeTotals(texts: ScanTexts, each: number, index: string): string {
  const plainTotal = `    _Pragma("unroll") for (int k = 0; k < EACH_; k++) {
      const ${index} n_ = begin_ + k * GROUP_ + me_;
      ${placesOf(texts, index)}
      const Item_ value_ = ${texts.value};
      total_ = combine_(total_, value_);
    }`;
  return `  __local Part_ sums_[GROUP_];
  const int me_ = (int)get_local_id(0);
  const ${index} begin_ = (${index})get_group_id(0) * TILE_;
  Item_ total_ = identity_();
  if (begin_ + TILE_ <= size_) {
${quadTotal(texts, each, index) ?? plainTotal}
  } else {
    for (${index} n_ = begin_ + me_; n_ < size_; n_ += GROUP_) {
      ${placesOf(texts, index)}
      const Item_ value_ = ${texts.value};
      total_ = combine_(total_, value_);
    }
  }
  sums_[me_] = total_;
  for (int half_ = GROUP_ / 2; half_ > 0; half_ /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me_ < half_) sums_[me_] = combine_(sums_[me_], sums_[me_ + half_]);
  }
  if (me_ == 0) parts_[get_group_id(0)] = sums_[0];`;
}

function quadTotal({ quads }: ScanTexts, each: number, index: string): string | undefined {
  const load = quads?.load;
  if (load === undefined || each % load.width !== 0) return undefined;
  const items = Array.from({ length: load.width }, (_, v) => load.item(`quad_.s${v}`));
  return `    _Pragma("unroll") for (int k = 0; k < ${each / load.width}; k++) {
      const ${index} n_ = begin_ + (k * GROUP_ + me_) * ${load.width};
      const ${load.type} quad_ = ${load.vector};
${items.map((item) => `      total_ = combine_(total_, ${item});`).join("\n")}
    }`;
}
