/** Kernels whose inner loop runs along the elements of one result. */
import { macros } from "../kernels/macros.js";
import { keptPlaces, reducedPlaces } from "./places-source.js";
import type { ReductionPlan } from "./reduction-plan.js";
import groupsKernel from "./rows-of-groups.cl";
import { along, folded, mapped, parametersOf, store, storeResult } from "./source-parts.js";
import { vectorElements } from "./vector-elements.js";
import { wideMapped } from "./wide-source.js";
import { vectorsTogether } from "./work-division.js";

/** Number of parallel accumulators, which the compiler turns into vectors. */
function lanesFor({ reduction }: ReductionPlan): number {
  if (reduction.accumulatorBytes <= 4) return 64;
  return reduction.accumulatorBytes <= 8 ? 32 : 8;
}

/**
 * Each work-item has a chunk of each of a few results. Parallel accumulators become vectors on CPUs; small blocks are
 * summed separately, so that rounding errors stay small.
 */
export function rowsOfProcessor(plan: ReductionPlan): string {
  const { identity } = plan.reduction;
  const element = (i: string): string =>
    mapped(plan, (k) => `at${k}${along(plan, k, i)}`, `index + (${i}) * places.stride[${plan.inputs.length}][0]`);
  const run = plan.wide > 1 ? wideRun(plan) : laneRun(plan, element);
  return `
__kernel void reduce(${parametersOf(plan)}) {
  const Index item = (Index)get_global_id(0);
  const Index part = item % places.parts;
  const Index first = item / places.parts * places.batch;
  const Index last = min(first + places.batch, places.outputs);
  const Index start = part * places.chunk;
  const Index end = min(start + places.chunk, places.count);
  for (Index k = first; k < last; k++) {
    ${keptPlaces(plan, "k")}
    Accumulator result = ${identity};
    ${plan.reduced === 1 ? single() : several()}
    ${store(plan, "result", "k", "result_at")}
  }
${plan.combining === "last" ? combineAtEnd(plan) : ""}}
`;

  function single(): string {
    return `{
      ${reducedPlaces(plan, "start")}
      const Index length = end - start;
      Accumulator block = ${identity};${run}
      result = block;
    }`;
  }

  /* Runs along the innermost axis, some of which are combined for themselves, too. */
  function several(): string {
    return `for (Index next = start; next < end;) {
      Accumulator block = ${identity};
      for (int runs = 0; runs < 64 && next < end; runs++) {
        ${reducedPlaces(plan, "next")}
        const Index length = min(places.extent[0] - i_0, end - next);
        next += length;${run}
      }
      result = reduction_combine(result, block);
    }`;
  }
}

/** The end of the work-item that finishes last: it combines the parts of the only result. */
function combineAtEnd(plan: ReductionPlan): string {
  return `  mem_fence(CLK_GLOBAL_MEM_FENCE);
  if (atomic_inc(done) != places.parts - 1) return;
  *done = 0;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  const Index k = 0;
  Accumulator result = ${plan.reduction.identity};
  for (Index part = 0; part < places.parts; part++) result = reduction_combine(result, partial[part]);
  ${keptPlaces(plan, "k")}
  ${storeResult(plan, "result", "result_at")}
`;
}

/** Combines `length` elements into `block`, by accumulators that the compiler makes vectors of. */
function laneRun(plan: ReductionPlan, element: (i: string) => string): string {
  const lanes = lanesFor(plan);
  const { identity } = plan.reduction;
  return `
      const Index whole = length - length % ${lanes};
      if (whole > 0) {
        Accumulator total[${lanes}];
        for (int l = 0; l < ${lanes}; l++) total[l] = ${identity};
        for (Index i = 0; i < whole;) {
          Accumulator lane[${lanes}];
          for (int l = 0; l < ${lanes}; l++) lane[l] = ${identity};
          const Index stop = min(i + ${lanes * 64}, whole);
          for (; i < stop; i += ${lanes}) {
            for (int l = 0; l < ${lanes}; l++) lane[l] = reduction_combine(lane[l], ${element("i + l")});
          }
          for (int l = 0; l < ${lanes}; l++) total[l] = reduction_combine(total[l], lane[l]);
        }
        ${laneFold(plan, lanes)}
        block = reduction_combine(block, total[0]);
      }
      for (Index i = max(whole, (Index)0); i < length; i++) block = reduction_combine(block, ${element("i")});`;
}

/**
 * Combines the accumulators into the first. Steps of known lengths are vectors to the compiler where accumulators are numbers
 * (2500 rows of 40 int32: 68 µs instead of 88), but take complex numbers twice as long as a loop.
 */
function laneFold({ reduction }: ReductionPlan, lanes: number): string {
  const step = (half: string): string =>
    `for (int l = 0; l < ${half}; l++) total[l] = reduction_combine(total[l], total[l + ${half}]);`;
  return /^[a-z]+$/.test(reduction.accumulator)
    ? halves(lanes)
        .map((half) => step(String(half)))
        .join("\n        ")
    : `for (int half_width = ${lanes / 2}; half_width > 0; half_width /= 2) {
          ${step("half_width")}
        }`;
}

/** The same with vectors. Four accumulators take turns, so that no addition waits for the previous one. */
function wideRun(plan: ReductionPlan): string {
  const { wide, reduction } = plan;
  const { identity } = reduction;
  const at = (k: number): string => `at${k}`;
  const turns = [0, 1, 2, 3];
  const scalar = mapped(plan, (k) => `at${k}${along(plan, k, "i")}`, "0");
  return `
      Index i = 0;
      if (length >= ${wide}) {
        const Index whole = length - length % ${4 * wide};
        Wide total = ${identity};
        while (i < whole) {
          const Index far = min(i + ${2048 * wide}, whole);
          Wide blocks = ${identity};
          while (i < far) {
            const Index stop = min(i + ${64 * wide}, far);
            Wide ${turns.map((turn) => `lane${turn} = ${identity}`).join(", ")};
            for (; i < stop; i += ${4 * wide}) {
              ${turns.map((turn) => `lane${turn} = wide_combine(lane${turn}, ${wideMapped(plan, at, `i + ${turn * wide}`)});`).join("\n              ")}
            }
            blocks = wide_combine(blocks, wide_combine(wide_combine(lane0, lane1), wide_combine(lane2, lane3)));
          }
          total = wide_combine(total, blocks);
        }
        for (; i + ${wide} <= length; i += ${wide}) total = wide_combine(total, ${wideMapped(plan, at, "i")});
        ${wideHalves(wide)
          .map((half) => `total = wide_combine(total, ${half});`)
          .join("\n        ")}
        block = reduction_combine(block, total.s0);
      }
      for (; i < length; i++) block = reduction_combine(block, ${scalar});`;
}

/**
 * The upper half of `total`, the upper half of the lower one, and so on, each as wide as all of it: an array in memory takes
 * three times as long for 1000 rows of 100 elements.
 */
function wideHalves(wide: number): string[] {
  return halves(wide).map((half) => {
    const lanes = Array.from({ length: wide }, (_, l) => (half + (l % half)).toString(16));
    return `total.s${lanes.join("")}`;
  });
}

/** Half of a power of two, half of that, down to 1: what is written out is of fixed lengths for the compiler. */
function halves(count: number): number[] {
  return count === 1 ? [] : [count / 2, ...halves(count / 2)];
}

/** A group has some rows, or a part of one; its work-items take turns along each. */
export function rowsOfGroups(plan: ReductionPlan): string {
  const { width, vector, inputs, reduced, reduction } = plan;
  const placeAt = (k: number, i: string): string => `at${k}${along(plan, k, i)}`;
  const index = (i: string): string => `index + (${i}) * places.stride[${inputs.length}][0]`;
  const { loads, element } = vectorElements(plan, (k) => placeAt(k, "i"));
  const lanes = Array.from({ length: vector }, (_, v) => v);
  const combined = lanes.map((v) => {
    const value = mapped(
      plan,
      (k) => placeAt(k, `i + ${v}`),
      index(`i + ${v}`),
      (k) => element(k, v),
    );
    return `lane${v} = reduction_combine(lane${v}, ${value});`;
  });
  const names = {
    PARAMETERS_: parametersOf(plan),
    WIDTH_: width,
    VECTOR_: vector,
    TOGETHER_: vectorsTogether,
    REDUCED_AXES_: reduced,
    "KEPT_PLACES_(k)": keptPlaces(plan, "k"),
    "REDUCED_PLACES_(i)": reducedPlaces(plan, "i"),
    "ELEMENT_(i)": mapped(plan, (k) => placeAt(k, "i"), index("i")),
    PLACED_ELEMENT_: mapped(plan, (k) => `at${k}`, "index"),
    DECLARE_LANES_: `Accumulator ${lanes.map((v) => `lane${v} = ${reduction.identity}`).join(", ")};`,
    "COMBINE_VECTORS_(i)": [loads, ...combined].join(" "),
    ALL_LANES_: folded(lanes.map((v) => `lane${v}`)),
    "STORE_(accumulator, k, at)": store(plan, "accumulator", "k", "at"),
    LAST_: plan.combining === "last",
    "STORE_RESULT_(accumulator, at)": storeResult(plan, "accumulator", "at"),
  };
  return `${macros(names)}${groupsKernel}`;
}
