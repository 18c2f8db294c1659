/** Enqueues matrix products: chooses the kernel by the device and the extents. All matrix products use it. */
import { memoizePerObject, sizeOf } from "@cl/base";
import { hasParallelWorkItems } from "@cl/characterize";
import type { CommandQueue } from "@cl/core";
import { checkComputable } from "../../types/capabilities.js";
import { type DTypeName, typeNamed } from "../../types/dtype-name.js";
import { assign } from "../../elementwise/assign.js";
import type { Operand } from "../../storage/operand.js";
import { kindOf, promote, realOf } from "../../types/promote.js";
import { kernelOf } from "../../kernels/kernel-cache.js";
import { LaunchPlans } from "../../kernels/launch-plans.js";
import { wholeGroups } from "../../kernels/launch.js";
import { directItemsSource, directLoopSource, directWidth } from "./direct-source.js";
import { blockOf, unitsOf } from "./panel-source.js";
import { multiplyPanels } from "./panels.js";
import { factors, type Launch, launchProduct, productArgument, type ProductPlan } from "./launch.js";
import { eachOuter, type Geometry, geometryOf, type Product, sumType } from "./product.js";
import type { ProductTypes } from "./product-source.js";
import { multiplySplit, splitsFor } from "./splits.js";
import { fitsTiles, planTiles, smallTileGroups } from "./tiles.js";
import type { ArraySource } from "../../storage/array-ref.js";
import { operators } from "../../elementwise/operators.js";

/**
 * Enqueues `c = alpha a b + beta c` for the matrices along the last two axes. All three have the same batch of matrices
 * (broadcast before), and their extents fit; `c` shares no places with the others. Nothing is allocated but scratch.
 */
export function multiply(xp: ArraySource, product: Product): void {
  const { a, b, c, alpha = 1, beta = 0, conjugateA = false, conjugateB = false } = product;
  if (sizeOf(c.layout.shape) === 0) return;
  const plans = plansOf(xp.queue);
  const key = [alpha, beta, conjugateA, conjugateB];
  const operands = [a, b, c];
  const known = plans.find(key, operands);
  if (known !== undefined) {
    launchProduct(xp, known, { a: a.storage, b: b.storage, c: c.storage });
    return;
  }
  const result = promote(a.dtype, b.dtype);
  const types: ProductTypes = {
    a: a.dtype,
    b: b.dtype,
    c: c.dtype,
    sum: sumType(result),
    conjugateA: conjugateA && kindOf(a.dtype) === 4,
    conjugateB: conjugateB && kindOf(b.dtype) === 4,
  };
  for (const type of [types.sum, types.a, types.b, types.c]) checkComputable(xp.queue.device, realOf(type), "matmul");
  if (a.layout.shape.at(-1) === 0) {
    scale(xp, c, beta);
    return;
  }
  const geometry = geometryOf(product);
  const isPlain = alpha === 1 && beta === 0;
  const splits = isPlain && canTile(xp) && !isSmall(xp, geometry) ? splitsOf(xp, geometry, types.sum) : 1;
  if (splits === 1) run(product, 1, geometry.k, 0);
  else multiplySplit(xp, product, splits, (one, depth, apart) => run(one, splits, depth, apart));

  function run(one: Product, parts: number, depth: number, apart: number): void {
    const geometries = eachOuter(geometryOf(one));
    for (const outer of geometries) {
      const memory = { a: a.storage, b: b.storage, c: one.c.storage };
      const launch = { xp, types: { ...types, c: one.c.dtype }, geometry: outer, ...memory, alpha, beta };
      // Partial sums may have another layout than the result, which can make the product small.
      const isDirect = parts === 1 && (isSmall(xp, outer) || !canTile(xp));
      if (!isDirect && !hasParallelWorkItems(xp.queue.device)) {
        multiplyPanels(launch, parts, depth, apart);
        continue;
      }
      const plan = isDirect ? planDirect(launch) : planTiles(launch, parts, depth, apart);
      launchProduct(xp, plan, memory);
      if (parts === 1 && geometries.length === 1) plans.keep(key, operands, plan);
    }
  }
}

/** The plans of products of one launch, by their factors and conjugations. */
const plansOf = memoizePerObject<CommandQueue, LaunchPlans<ProductPlan>>(() => new LaunchPlans(256));

/** False for devices with groups that are too small for tiles. */
function canTile({ queue: { device } }: ArraySource): boolean {
  return !hasParallelWorkItems(device) || fitsTiles(device);
}

/** What is left where sums are of nothing, whose operands may have no memory. */
function scale(xp: ArraySource, { storage, dtype, layout }: Operand, beta: number): void {
  using view = xp.wrap(storage, typeNamed(dtype), layout);
  if (beta === 0) {
    using zero = xp.zeros([], { dtype });
    assign(view, zero);
  } else if (beta !== 1) {
    operators.multiply(view, beta, { out: view });
  }
}

/** Into how many parts sums are divided, so that every compute unit has something to do. */
function splitsOf({ queue }: ArraySource, geometry: Geometry, sum: DTypeName): number {
  const units = queue.device.maxComputeUnits;
  if (hasParallelWorkItems(queue.device)) {
    return splitsFor(smallTileGroups(geometry, sum, queue.device), 2 * units, geometry.k);
  }
  const { m, n, extents } = geometry;
  return splitsFor(unitsOf(blockOf(sum), m, n) * sizeOf(extents), 2 * units, geometry.k);
}

/** True for matrices whose copies would take as long as their product. */
function isSmall({ queue }: ArraySource, { m, n, k, b }: Geometry): boolean {
  // Loads whole vectors of adjacent elements directly, which stays fast up to larger sizes.
  const isVectors = !hasParallelWorkItems(queue.device) && b.column === 1 && n % directWidth === 0;
  return m * n * k <= (isVectors ? 2 ** 18 : 4096) || (m < 4 && n < 8 && k <= 512);
}

function planDirect(launch: Launch): ProductPlan {
  const { types, geometry } = launch;
  const { queue } = launch.xp;
  const loops = !hasParallelWorkItems(queue.device);
  const kernel = kernelOf(queue.context, `product direct ${loops} ${JSON.stringify(types)}`, "product", () =>
    loops ? directLoopSource(types) : directItemsSource(types),
  );
  const { m, n, extents } = geometry;
  const rows = m * sizeOf(extents);
  const sizes = loops ? { global: Math.min(rows, 64), local: 1 } : wholeGroups(queue.device, rows * n);
  return { kernel, sizes, numbers: [productArgument(geometry), ...factors(launch)] };
}
