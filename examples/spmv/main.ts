// A sparse matrix times a vector, and what it is good for: the potential around charges, found by conjugate gradients.
import { mkdir } from "node:fs/promises";

import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";
import { ImmediateAllocator, MemoryPool } from "@cl/tools";

import { conjugateGradients } from "./conjugate-gradients.js";
import { laplacian } from "./csr.js";
import { SparseMatrix } from "./sparse-matrix.js";

const queue = new CommandQueue(Context.create());
const xp = arrays(queue, { allocator: new MemoryPool(new ImmediateAllocator(queue)) });

const n = 256;
const matrix = laplacian(n);
const a = await SparseMatrix.create(xp, matrix);
console.log(`${matrix.values.length} of ${n ** 4} elements are not zero`);

// Whole numbers, so that sums have no rounding errors, in whatever order they are added.
const x = xp
  .arange(n * n, { dtype: "int32" })
  .remainder(100)
  .astype("float32");
const equal = a.times(x, "item").equal(a.times(x, "group")).all();
console.log(`both kernels have the same product: ${await equal.item()}`);

const charges = xp.zeros([n, n], { dtype: "float32" });
charges.slice([60, 64], [40, 200]).assign(1);
charges.slice([150, 200], [90, 94]).assign(-3);
charges.slice([150, 200], [170, 174]).assign(2);
const b = charges.reshape([n * n]);
const { x: potential } = await conjugateGradients((p) => a.times(p), b, { tolerance: 1e-4 });
const rest = await b.sub(a.times(potential)).norm().item();
console.log(`the equations hold to a thousandth: ${rest < 1e-3 * (await b.norm().item())}`);

await mkdir("build", { recursive: true });
// Bands between lines of equal potential.
const bands = potential.reshape([n, n]).mul(0.1).floor();
await xp.savePng("build/spmv.png", bands, { colormap: "coolwarm", min: -18, max: 18 });
console.log("the potential around three charged bars is in build/spmv.png");
