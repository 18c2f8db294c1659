/**
 * OpenCL C of scans on CPUs: few work-items, each with whole rows, or with a chunk of one. For chunks, the totals are
 * computed first, and each chunk is then scanned from the sum of the totals before it.
 */
import { pastCaches, quiet } from "../kernels/processor-source.js";
import { scanHead, type ScanTexts, type WideTexts } from "./scan-texts.js";

/** Elements of a block whose texts are independent of each other. */
const bytesAtOnce = 64;

/** The program: `scan_totals` and `scan_items`. */
export function processorScanSource(texts: ScanTexts): string {
  const index = indexType(texts);
  return `${head(texts)}
__kernel void scan_totals(${parametersOf(texts)}) {
  const long piece_ = (long)get_global_id(0);
  const ${index} row_ = (${index})(piece_ / chunks_);
  const int chunk_ = (int)(piece_ % chunks_);
${chunkBounds(texts, "  ")}
${chunkTotal(texts)}
  parts_[piece_] = total_;
}

__kernel void scan_items(${parametersOf(texts)}) {
  const long last_piece_ = pieces_ * (long)(get_global_id(0) + 1) / (long)get_global_size(0);
  for (long piece_ = pieces_ * (long)get_global_id(0) / (long)get_global_size(0); piece_ < last_piece_; piece_++) {
    const ${index} row_ = (${index})(piece_ / chunks_);
    const int chunk_ = (int)(piece_ % chunks_);
${chunkBounds(texts, "    ")}
    Part_ before_ = NOTHING_;
    for (int k = 0; k < chunk_; k++) before_ = JOIN_(before_, parts_[piece_ - chunk_ + k]);
    Item_ running_ = VALUE_(before_);
${texts.usesLast ? lastItem : ""}
${chunkItems(texts)}
  }
}
`;
}

/**
 * The program of one work-item with all chunks: `scan_alone`. It combines the same totals in the same order as the other kernels do, so
 * results have the same bits.
 */
export function aloneScanSource(texts: ScanTexts): string {
  const index = indexType(texts);
  return `${head(texts)}
__kernel void scan_alone(${parametersOf(texts)}) {
  Part_ before_ = NOTHING_;
  for (long piece_ = 0; piece_ < pieces_; piece_++) {
    const ${index} row_ = (${index})(piece_ / chunks_);
    const int chunk_ = (int)(piece_ % chunks_);
    if (chunk_ == 0) before_ = NOTHING_;
    Item_ running_ = VALUE_(before_);
    /* Before the items, which may be stored in place of the values. */
    if (chunk_ + 1 < chunks_) {
${chunkBounds(texts, "      ")}
${chunkTotal(texts)}
      before_ = JOIN_(before_, total_);
    }
${chunkBounds(texts, "    ")}
${chunkItems(texts)}
  }
}
`;
}

function indexType({ short }: ScanTexts): "int" | "long" {
  return short ? "int" : "long";
}

function parametersOf(texts: ScanTexts): string {
  const index = indexType(texts);
  return [
    ...texts.parameters,
    "__global Part_ *const parts_",
    `const ${index} length_`,
    "const long pieces_",
    "const int chunks_",
  ].join(", ");
}

/** Elements of a vector. */
function widthOf({ itemBytes }: ScanTexts): number {
  return Math.min(16, bytesAtOnce / itemBytes);
}

function head(texts: ScanTexts): string {
  const index = indexType(texts);
  return `${quiet}
${pastCaches}
${scanHead(texts, texts.start !== undefined)}
${texts.wide === undefined ? "" : wideHead(texts, widthOf(texts))}
/* Whole lines of the caches, so that no two work-items write into one. */
#define BEGIN_(chunk) ((${index})(((long)length_ + 63) / 64 * (chunk) / chunks_) * 64)
`;
}

/** The columns of chunk `chunk_`. */
function chunkBounds(texts: ScanTexts, indent: string): string {
  const index = indexType(texts);
  return `${indent}const ${index} end_ = min(BEGIN_(chunk_ + 1), length_);
${indent}${index} column_ = min(BEGIN_(chunk_), length_);`;
}

/** Statements that combine the elements of a chunk of row `row_`, as `total_`. */
function chunkTotal(texts: ScanTexts): string {
  const { wide, value, start } = texts;
  const index = indexType(texts);
  return `  Part_ total_ = NOTHING_;
${wide === undefined ? "" : wideTotal(texts, wide, widthOf(texts), index)}
  for (; column_ < end_; column_++) {
    const ${index} n_ = row_ * length_ + column_;
    const Item_ value_ = ${value};
    total_ = JOIN_(total_, PART_(value_, ${start ?? "0"}));
  }`;
}

/** Statements that store the results of a chunk of row `row_`; `running_` is what precedes it. */
function chunkItems(texts: ScanTexts): string {
  const { wide, value, start, output } = texts;
  const index = indexType(texts);
  return `${wide === undefined ? "" : wideItems(texts, wide, widthOf(texts), index)}
    for (; column_ < end_; column_++) {
      const ${index} n_ = row_ * length_ + column_;
      const Item_ value_ = ${value};
      ${start === undefined ? "" : `if (${start}) running_ = identity_();`}
      const Item_ prev_ = running_;
      const Item_ item_ = combine_(prev_, value_);
      running_ = item_;
      ${output}
    }`;
}

/** What all elements of the row come to. */
const lastItem = `    Part_ all_ = before_;
    for (int k = chunk_; k < chunks_; k++) all_ = JOIN_(all_, parts_[piece_ - chunk_ + k]);
    const Item_ last_ = VALUE_(all_);`;

function wideHead(texts: ScanTexts, width: number): string {
  return `typedef ${texts.item}${width} Items_;
Items_ combine_items_(const Items_ a, const Items_ b) { return ${texts.combine("a", "b")}; }

/* Scans the lanes: combines each with the lane 1 before, then 2 before, and so on. */
Items_ scan_items_(Items_ x) {
  const Items_ identity = (Items_)(identity_());
${Array.from({ length: Math.log2(width) }, (_, k) => `  x = combine_items_(${shifted("x", 2 ** k, width)}, x);`).join("\n")}
  return x;
}
`;
}

/**
 * Shifts a vector by some places, a power of two, with identity elements in front. Groups of four compile to better code
 * than single elements.
 */
function shifted(name: string, by: number, width: number): string {
  const digits = Array.from({ length: width }, (_, k) => k.toString(16)).join("");
  const groups = digits.slice(0, width - by).match(/.{1,4}/gu) ?? [];
  return `(Items_)(identity.s${digits.slice(0, by)}, ${groups.map((group) => `${name}.s${group}`).join(", ")})`;
}

/** Loads the items of adjacent elements as a vector, or one by one, into registers. */
function wideValue({ value }: ScanTexts, wide: WideTexts, width: number, index: string, indent: string): string {
  if (wide.value !== undefined) return `${indent}const Items_ values_ = ${wide.value(width)};`;
  return `${indent}Item_ each_[${width}] __attribute__((aligned(64)));
${indent}const ${index} first_column_ = column_;
${indent}_Pragma("unroll") for (int j_ = 0; j_ < ${width}; j_++) {
${indent}  const ${index} n_ = first_ + j_, column_ = first_column_ + j_;
${indent}  each_[j_] = ${value};
${indent}}
${indent}const Items_ values_ = *(Items_ *)each_;`;
}

/** Two sums, so that neither waits for the other; each of few vectors, so that sums of many floats keep their digits. */
function wideTotal(texts: ScanTexts, wide: WideTexts, width: number, index: string): string {
  const step = (name: string): string => `      {
        const ${index} n_ = row_ * length_ + column_, first_ = n_;
${wideValue(texts, wide, width, index, "        ")}
        ${name} = combine_items_(${name}, values_);
      }
      column_ += ${width};`;
  return `  Items_ all_ = (Items_)(identity_());
  while (column_ + ${2 * width} <= end_) {
    const ${index} block_end_ = end_ - column_ < ${64 * width} ? end_ : column_ + ${64 * width};
    Items_ even_ = (Items_)(identity_()), odd_ = even_;
    while (column_ + ${2 * width} <= block_end_) {
${step("even_")}
${step("odd_")}
    }
    all_ = combine_items_(all_, combine_items_(even_, odd_));
  }
  /* A separate variable, since indexed variables do not stay in registers. */
  Item_ each_total_[${width}] __attribute__((aligned(64)));
  *(Items_ *)each_total_ = all_;
  for (int k = 0; k < ${width}; k++) total_ = combine_(total_, each_total_[k]);`;
}

function wideItems(texts: ScanTexts, wide: WideTexts, width: number, index: string): string {
  const carried = wide.carry === undefined ? "running_" : "carry_";
  const last = `scanned_.s${(width - 1).toString(16)}`;
  const items = wide.inclusive ? "scanned_" : shifted("scanned_", 1, width);
  const store =
    wide.store?.(width) ??
    `*(Items_ *)each_out_ = items_;
      const ${index} out_column_ = column_;
      _Pragma("unroll") for (int j_ = 0; j_ < ${width}; j_++) {
        const ${index} n_ = first_ + j_, column_ = out_column_ + j_;
        const Item_ ${wide.inclusive ? "item_" : "prev_"} = each_out_[j_];
        ${texts.output}
      }`;
  return `    ${wide.carry === undefined ? "" : `${wide.carry} carry_ = running_;`}
    for (; column_ + ${width} <= end_; column_ += ${width}) {
      const ${index} n_ = row_ * length_ + column_, first_ = n_;
${wideValue(texts, wide, width, index, "      ")}
      const Items_ identity = (Items_)(identity_());
      const Items_ scanned_ = scan_items_(values_);
      const Items_ items_ = combine_items_((Items_)((Item_)${carried}), ${items});
      ${carried} = ${wide.carry === undefined ? `combine_(running_, ${last})` : `carry_ + ${last}`};
      ${wide.store === undefined ? `Item_ each_out_[${width}] __attribute__((aligned(64)));` : ""}
      ${store}
    }
    ${wide.carry === undefined ? "" : "running_ = (Item_)carry_;"}`;
}
