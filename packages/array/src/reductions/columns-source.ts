/** Kernels whose inner loop runs along adjacent results, so that memory is read in order where these are contiguous. */
import { type Macros, macros } from "../kernels/macros.js";
import groupsKernel from "./columns-of-groups.cl";
import processorKernel from "./columns-of-processor.cl";
import vectorsKernel from "./columns-of-vectors.cl";
import { keptPlaces, reducedPlaces } from "./places-source.js";
import type { ReductionPlan } from "./reduction-plan.js";
import { along, folded, mapped, parametersOf, store } from "./source-parts.js";
import { vectorElements } from "./vector-elements.js";
import { wideMapped } from "./wide-source.js";

/** Number of rows that are read together: their sum is then combined with the accumulator. */
const rows = 8;

/** Each work-item has some adjacent results, and all rows or a part of them. */
export function columnsOfProcessor(plan: ReductionPlan): string {
  if (plan.wide > 1) return columnsOfVectors(plan);
  const numbers = Array.from({ length: rows }, (_, row) => row);
  const element = (suffix: string): string =>
    mapped(plan, (k) => `at${k}${suffix}${along(plan, k, "column + c")}`, `index${suffix}`);
  const names = {
    ...columnMacros(plan),
    TILE_: plan.tile,
    ROWS_: rows,
    "PLACES_OF_ROWS_(i)": numbers.map((row) => reducedPlaces(plan, `i + ${row}`, `_${row}`)).join(" "),
    "LOAD_ROWS_(c)": numbers.map((row) => `const Accumulator x${row} = ${element(`_${row}`)};`).join(" "),
    SUM_OF_ROWS_: folded(numbers.map((row) => `x${row}`)),
    "ELEMENT_(c)": element(""),
  };
  return `${macros(names)}${processorKernel}`;
}

/** Each work-item keeps vectors of adjacent results in registers. */
function columnsOfVectors(plan: ReductionPlan): string {
  const { tile, wide, reduction } = plan;
  const vectors = Array.from({ length: tile / wide }, (_, v) => v);
  const mappedAt = (v: number): string => wideMapped(plan, (k) => `at${k}`, `column + ${v * wide}`);
  const names = {
    ...columnMacros(plan),
    TILE_: tile,
    DECLARE_TOTALS_: `Wide ${vectors.map((v) => `total${v} = ${reduction.identity}`).join(", ")};`,
    "COMBINE_TOTALS_(column)": vectors.map((v) => `total${v} = wide_combine(total${v}, ${mappedAt(v)});`).join(" "),
    COPY_TOTALS_: vectors.map((v) => `vstore${wide}(total${v}, ${v}, total);`).join(" "),
  };
  return `${macros(names)}${vectorsKernel}`;
}

/** Each work-group has adjacent results, and its work-items take turns in the rows. */
export function columnsOfGroups(plan: ReductionPlan): string {
  const { group, width, vector, reduction } = plan;
  const lanes = Array.from({ length: vector }, (_, v) => v);
  const { loads, element } = vectorElements(plan, (k) => `at${k}${along(plan, k, "column")}`);
  const combined = lanes.map((v) => {
    const value = mapped(
      plan,
      (k) => `at${k}${along(plan, k, `column + ${v}`)}`,
      "index",
      (k) => element(k, v),
    );
    return `lane${v} = reduction_combine(lane${v}, ${value});`;
  });
  const names = {
    ...columnMacros(plan),
    WIDTH_: width,
    VECTOR_: vector,
    DECLARE_LANES_: `Accumulator ${lanes.map((v) => `lane${v} = ${reduction.identity}`).join(", ")};`,
    "COMBINE_VECTORS_(column)": [loads, ...combined].join(" "),
    COMBINE_GROUPS_: lanes.map((v) => `COMBINE_GROUP_(shared[${v}], item, ${group / 2}, WIDTH_, lane${v})`).join(" "),
    "STORE_LANES_(column)": lanes.map((v) => storeColumn(plan, `lane${v}`, String(v))).join(" "),
  };
  return `${macros(names)}${groupsKernel}`;
}

function columnMacros(plan: ReductionPlan): Macros {
  return {
    PARAMETERS_: parametersOf(plan),
    "KEPT_PLACES_(k)": keptPlaces(plan, "k", 1),
    "REDUCED_PLACES_(i)": reducedPlaces(plan, "i"),
    "STORE_(accumulator, c)": storeColumn(plan, "accumulator", "c"),
  };
}

/** Stores the result of the `c`-th column after `column`. */
function storeColumn(plan: ReductionPlan, accumulator: string, c: string): string {
  const stride = `places.kept_stride[${plan.inputs.length}][0]`;
  const number = `outer * places.kept_extent[0] + column + ${c}`;
  return store(plan, accumulator, number, `result_at + (column + ${c}) * ${stride}`);
}
