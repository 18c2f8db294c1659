// Computes the potential around charges with a sparse matrix and conjugate gradients.
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
console.log(`${matrix.values.length} of ${n ** 4} elements are nonzero`);

// Integers, so that sums are exact in any order.
const x = xp
  .arange(n * n, { dtype: "int32" })
  .remainder(100)
  .astype("float32");
const equal = a.multiply(x, "item").equal(a.multiply(x, "group")).all();
console.log(`both kernels compute the same product: ${await equal.item()}`);

const charges = xp.zeros([n, n], { dtype: "float32" });
charges.slice([60, 64], [40, 200]).assign(1);
charges.slice([150, 200], [90, 94]).assign(-3);
charges.slice([150, 200], [170, 174]).assign(2);
const b = charges.reshape([n * n]);
const { x: potential } = await conjugateGradients((p) => a.multiply(p), b, { tolerance: 1e-4 });
const residual = await b.sub(a.multiply(potential)).norm().item();
console.log(`relative residual below 0.001: ${residual < 1e-3 * (await b.norm().item())}`);

await mkdir("build", { recursive: true });
// Bands between lines of equal potential.
const bands = potential.reshape([n, n]).mul(0.1).floor();
await xp.savePng("build/spmv.png", bands, { colormap: "coolwarm", min: -18, max: 18 });
console.log("wrote the potential around three charged bars to build/spmv.png");
