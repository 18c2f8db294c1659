/** Kernels whose inner loop runs along adjacent results, so that memory is read in order where these are contiguous. */
import { keptPlaces, reducedPlaces } from "./places-source.js";
import type { ReductionPlan } from "./reduction-plan.js";
import { along, folded, mapped, parametersOf, store, tree } from "./source-parts.js";
import { vectorElements } from "./vector-elements.js";
import { wideMapped } from "./wide-source.js";

/** Number of rows that are read together: their sum is then combined with the accumulator. */
const rows = 8;

/** Each work-item has some adjacent results, and all rows or a part of them. */
export function columnsOfProcessor(plan: ReductionPlan): string {
  if (plan.wide > 1) return columnsOfVectors(plan);
  const { tile } = plan;
  const result = plan.inputs.length;
  const numbers = Array.from({ length: rows }, (_, row) => row);
  const element = (suffix: string): string =>
    mapped(plan, (k) => `at${k}${suffix}${along(plan, k, "column + c")}`, `index${suffix}`);
  return `
__kernel void reduce(${parametersOf(plan)}) {
  const Index item = (Index)get_global_id(0);
  const Index column = item % places.tiles * ${tile};
  const Index part = item / places.tiles % places.parts;
  const Index outer = item / places.tiles / places.parts;
  const Index width = min(places.kept_extent[0] - column, (Index)${tile});
  ${keptPlaces(plan, "outer", 1)}
  const Index end = min((part + 1) * places.chunk, places.count);
  Accumulator total[${tile}];
  for (Index c = 0; c < width; c++) total[c] = ${plan.reduction.identity};
  Index i = part * places.chunk;
  for (; i + ${rows} <= end; i += ${rows}) {
    ${numbers.map((row) => reducedPlaces(plan, `i + ${row}`, `_${row}`)).join("\n    ")}
    for (Index c = 0; c < width; c++) {
      ${numbers.map((row) => `const Accumulator x${row} = ${element(`_${row}`)};`).join("\n      ")}
      total[c] = reduction_combine(total[c], ${folded(numbers.map((row) => `x${row}`))});
    }
  }
  for (; i < end; i++) {
    ${reducedPlaces(plan, "i")}
    for (Index c = 0; c < width; c++) total[c] = reduction_combine(total[c], ${element("")});
  }
  for (Index c = 0; c < width; c++) {
    ${store(plan, "total[c]", "outer * places.kept_extent[0] + column + c", `result_at + (column + c) * places.kept_stride[${result}][0]`)}
  }
}
`;
}

/**
 * Each work-item keeps vectors of adjacent results in registers, and reads a segment of every row. The last tile begins
 * earlier, so that it is complete, and stores only the remaining results.
 */
function columnsOfVectors(plan: ReductionPlan): string {
  const { tile, wide, reduction } = plan;
  const result = plan.inputs.length;
  const vectors = Array.from({ length: tile / wide }, (_, v) => v);
  const at = (k: number): string => `at${k}`;
  return `
__kernel void reduce(${parametersOf(plan)}) {
  const Index item = (Index)get_global_id(0);
  const Index first = item % places.tiles * ${tile};
  const Index column = min(first, places.kept_extent[0] - ${tile});
  const Index part = item / places.tiles % places.parts;
  const Index outer = item / places.tiles / places.parts;
  ${keptPlaces(plan, "outer", 1)}
  const Index end = min((part + 1) * places.chunk, places.count);
  Wide ${vectors.map((v) => `total${v} = ${reduction.identity}`).join(", ")};
  for (Index i = part * places.chunk; i < end; i++) {
    ${reducedPlaces(plan, "i")}
    ${vectors.map((v) => `total${v} = wide_combine(total${v}, ${wideMapped(plan, at, `column + ${v * wide}`)});`).join("\n    ")}
  }
  Accumulator total[${tile}];
  ${vectors.map((v) => `vstore${wide}(total${v}, ${v}, total);`).join("\n  ")}
  for (Index c = first - column; c < ${tile}; c++) {
    ${store(plan, "total[c]", "outer * places.kept_extent[0] + column + c", `result_at + (column + c) * places.kept_stride[${result}][0]`)}
  }
}
`;
}

/** Each work-group has adjacent results, and its work-items take turns in the rows. */
export function columnsOfGroups(plan: ReductionPlan): string {
  const { group, width, vector, inputs } = plan;
  const { identity } = plan.reduction;
  const lanes = Array.from({ length: vector }, (_, v) => v);
  const { loads, element } = vectorElements(plan, (k) => `at${k}${along(plan, k, "column")}`);
  const result = inputs.length;
  return `
__kernel __attribute__((reqd_work_group_size(${group}, 1, 1))) void reduce(${parametersOf(plan)}) {
  __local Accumulator shared[${vector}][${group}];
  const int item = (int)get_local_id(0);
  const int row = item / ${width};
  const Index numbered = (Index)get_group_id(0);
  const Index column = (numbered % places.tiles * ${width} + item % ${width}) * ${vector};
  const Index part = numbered / places.tiles % places.parts;
  const Index outer = numbered / places.tiles / places.parts;
  Accumulator ${lanes.map((v) => `lane${v} = ${identity}`).join(", ")};
  ${keptPlaces(plan, "outer", 1)}
  if (column < places.kept_extent[0]) {
    const Index end = min((part + 1) * places.chunk, places.count);
    #pragma unroll 4
    for (Index i = part * places.chunk + row; i < end; i += ${group / width}) {
      ${reducedPlaces(plan, "i")}
      ${loads}
      ${lanes
        .map((v) => {
          const value = mapped(
            plan,
            (k) => `at${k}${along(plan, k, `column + ${v}`)}`,
            "index",
            (k) => element(k, v),
          );
          return `lane${v} = reduction_combine(lane${v}, ${value});`;
        })
        .join("\n      ")}
    }
  }
  ${lanes.map((v) => tree(`shared[${v}]`, "item", group / 2, width, `lane${v}`)).join("\n  ")}
  if (row != 0 || column >= places.kept_extent[0]) return;
  ${lanes.map((v) => store(plan, `lane${v}`, `outer * places.kept_extent[0] + column + ${v}`, `result_at + (column + ${v}) * places.kept_stride[${result}][0]`)).join("\n  ")}
}
`;
}
