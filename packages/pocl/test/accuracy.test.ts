import { needsLibrary, runOnLibrary } from "./support/library.js";
import { expect, test } from "vitest";

/** Functions of one float, with the errors that OpenCL allows in ulp, and the ranges of their arguments. */
const functions = {
  acos: [4, -1, 1],
  acosh: [4, 1, 1e6],
  asin: [4, -1, 1],
  asinh: [4, -1e6, 1e6],
  atan: [5, -1e3, 1e3],
  atanh: [5, -1, 1],
  cbrt: [2, -1e6, 1e6],
  cos: [4, -1e3, 1e3],
  cosh: [4, -80, 80],
  exp: [3, -80, 80],
  exp2: [3, -120, 120],
  exp10: [3, -36, 36],
  expm1: [3, -10, 80],
  log: [3, 0, 1e6],
  log10: [3, 0, 1e6],
  log1p: [2, -0.99, 1e6],
  log2: [3, 0, 1e6],
  rsqrt: [2, 0, 1e6],
  sin: [4, -1e3, 1e3],
  sinh: [4, -80, 80],
  sqrt: [3, 0, 1e6],
  tan: [5, -1e3, 1e3],
  tanh: [5, -9, 9],
} as const;

test("computes functions of floats within the errors that OpenCL allows", async (run) => {
  const errors = (await runOnLibrary(
    needsLibrary(run),
    `const functions = ${JSON.stringify(functions)};
    const names = Object.keys(functions);
    // As loops over scalars, which call vectorized functions, and as vectors.
    const text = names.flatMap((name) => [
      \`__kernel void \${name}_scalar(__global float *x) { x[get_global_id(0)] = \${name}(x[get_global_id(0)]); }\`,
      \`__kernel void \${name}_vector(__global float *x) { vstore4(\${name}(vload4(get_global_id(0), x)), get_global_id(0), x); }\`,
    ]);
    const program = await new Program(context, text.join("\\n")).build();
    const count = 1 << 16;
    let state = 12345;
    const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    const exact = { ...Math, exp2: (x) => 2 ** x, exp10: (x) => 10 ** x, rsqrt: (x) => 1 / Math.sqrt(x) };
    for (const name of Object.getOwnPropertyNames(Math)) exact[name] ??= Math[name];
    const ulp = (x) => 2 ** (Math.max(Math.floor(Math.log2(Math.abs(x))), -126) - 23);
    const errors = {};
    for (const [name, [, low, high]] of Object.entries(functions)) {
      const input = Float32Array.from({ length: count }, (_, i) => {
        // Half of the arguments near 1, where logarithms lose digits.
        const value = i % 2 ? low + (high - low) * random() : 0.5 + random();
        return Math.min(Math.max(value, low), high);
      });
      for (const form of ["scalar", "vector"]) {
        const x = DeviceBuffer.from(context, input);
        program.kernel(\`\${name}_\${form}\`).launch(queue, { global: form === "scalar" ? count : count / 4 }, x);
        const output = await queue.read(x);
        let worst = 0;
        for (let i = 0; i < count; i++) {
          const expected = exact[name](input[i]);
          if (!Number.isFinite(expected) || expected === 0) continue;
          worst = Math.max(worst, Math.abs(output[i] - expected) / ulp(expected));
        }
        errors[\`\${name}_\${form}\`] = worst;
      }
    }
    console.log(JSON.stringify(errors));`,
  )) as Record<string, number>;
  const tooLarge = Object.entries(errors).filter(([name, error]) => {
    const [limit] = functions[name.split("_")[0] as keyof typeof functions];
    return !(error <= limit);
  });
  expect(tooLarge).toEqual([]);
});

test("computes functions of vectors as those of their elements", async (run) => {
  const different = await runOnLibrary(
    needsLibrary(run),
    `const different = [];
    for (const [type, array, tolerance] of [["float", Float32Array, 1e-5], ["double", Float64Array, 1e-13]]) {
      for (const width of [2, 3, 4, 8, 16]) {
        const calls = {
          powr: (x, y, i) => \`powr(\${x}, \${y})\`,
          remainder: (x, y, i) => \`remainder(\${x}, \${y})\`,
          rootn: (x, y, i) => \`rootn(\${x}, \${i})\`,
          frexp: (x, y, i, form, ints) => \`frexp(\${x}, &e) + convert_\${form}(e)\`,
          modf: (x, y, i, form, ints) => \`modf(\${x}, &f) + f * 2\`,
          lgamma: (x, y, i, form, ints) => \`lgamma_r(\${x}, &e)\`,
        };
        const kernel = (name, form, ints, load, store) =>
          \`__kernel void \${name}_\${form === type ? "scalar" : "vector"}(__global const \${type} *x, __global const \${type} *y, __global const int *i, __global \${type} *r) {
            size_t g = get_global_id(0); \${ints} e = 0; \${form} f = 0;
            \${form} v = \${calls[name](load("x"), load("y"), load("i"), form, ints)}; \${store} }\`;
        const text = Object.keys(calls).flatMap((name) => [
          kernel(name, type, "int", (p) => \`\${p}[g]\`, "r[g] = v;"),
          kernel(name, type + width, "int" + width, (p) => \`vload\${width}(g, \${p})\`, \`vstore\${width}(v, g, r);\`),
        ]);
        const program = await new Program(context, text.join("\\n")).build();
        const count = 48 * 8;
        const x = array.from({ length: count }, (_, k) => 0.5 + ((k * 37) % 101));
        const y = array.from({ length: count }, (_, k) => ((k * 29) % 31) / 4 - 3.3);
        const i = Int32Array.from({ length: count }, (_, k) => 1 + (k % 5));
        const inputs = [x, y, i].map((data) => DeviceBuffer.from(context, data));
        for (const name of Object.keys(calls)) {
          const results = [];
          for (const [form, global] of [["scalar", count], ["vector", count / width]]) {
            const r = DeviceBuffer.from(context, new array(count));
            program.kernel(name + "_" + form).launch(queue, { global }, ...inputs, r);
            results.push(await queue.read(r));
          }
          const [scalar, vector] = results;
          const same = scalar.every((value, k) => Math.abs(vector[k] - value) <= tolerance * Math.max(Math.abs(value), 1e-3));
          if (!same) different.push(type + width + " " + name);
        }
      }
    }
    console.log(JSON.stringify(different));`,
  );
  expect(different).toEqual([]);
});
