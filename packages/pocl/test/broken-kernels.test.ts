import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { needsLibrary, runOnLibrary } from "./support/library.js";

/** Kernels that must fail, while the process and its other kernels go on. */
const broken = {
  "a syntax error": "__kernel void f(__global int *x) { x[0] = ; }",
  "an undeclared function": "__kernel void f(__global int *x) { x[0] = missing(1); }",
  "an undefined function": "int missing(int); __kernel void f(__global int *x) { x[0] = missing(1); }",
  "an undefined variable": "extern __constant int missing; __kernel void f(__global int *x) { x[0] = missing; }",
  recursion:
    "int g(int n) { return n < 2 ? n : g(n - 1) + g(n - 2); } __kernel void f(__global int *x) { x[0] = g(x[0]); }",
  "invalid inline assembly": '__kernel void f(__global int *x) { __asm__ volatile("no such instruction"); x[0] = 1; }',
  "an unknown register": '__kernel void f(__global int *x) { __asm__ volatile("" ::: "no_register"); x[0] = 1; }',
  "an impossible operand": '__kernel void f(__global int *x) { __asm__("nop" : "=r"(*(__global long4 *)x)); }',
};

test("reports broken kernels as errors, and runs others afterwards", async (run) => {
  const result = await runOnLibrary(
    needsLibrary(run),
    `const outcomes = {};
    for (const [name, source] of Object.entries(${JSON.stringify(broken)})) {
      try {
        const program = await new Program(context, source).build();
        const own = new CommandQueue(context);
        const x = DeviceBuffer.from(context, Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8));
        // Waits for the event, because finish() reports only failures that happen while it waits.
        await program.kernel("f").bind({ global: 1 }, x).enqueue(own).wait();
        outcomes[name] = "ran";
      } catch {
        outcomes[name] = "failed";
      }
      console.log(name, outcomes[name]);
    }
    const program = await new Program(context, "__kernel void f(__global int *x) { x[0] = 42; }").build();
    const x = DeviceBuffer.from(context, Int32Array.of(0));
    program.kernel("f").launch(queue, { global: 1 }, x);
    console.log(JSON.stringify({ outcomes, answer: (await queue.read(x))[0] }));`,
  );
  const failed = Object.fromEntries(Object.keys(broken).map((name) => [name, "failed"]));
  expect(result).toEqual({ outcomes: failed, answer: 42 });
});

test("reports fatal errors of the linker, and links other kernels afterwards", async (run) => {
  const folder = needsLibrary(run);
  const copy = mkdtempSync(join(tmpdir(), "cl-pocl-test-"));
  try {
    for (const part of ["lib", "share"]) cpSync(join(folder, part), join(copy, part), { recursive: true });
    const result = await runOnLibrary(
      copy,
      `import { renameSync, writeFileSync } from "node:fs";
      const archive = ${JSON.stringify(join(copy, "share/pocl/libclang_rt.builtins.a"))};
      async function answer(number) {
        const program = await new Program(context, \`__kernel void f(__global int *x) { x[0] = \${number}; }\`).build();
        const own = new CommandQueue(context);
        const x = DeviceBuffer.from(context, Int32Array.of(0));
        await program.kernel("f").bind({ global: 1 }, x).enqueue(own).wait();
        return (await own.read(x))[0];
      }
      renameSync(archive, archive + ".kept");
      writeFileSync(archive, "!<arch>\\nbroken");
      const failed = [];
      for (const number of [1, 2]) await answer(number).catch(() => failed.push(number));
      renameSync(archive + ".kept", archive);
      console.log(JSON.stringify({ failed, answer: await answer(3) }));`,
    );
    expect(result).toEqual({ failed: [1, 2], answer: 3 });
  } finally {
    rmSync(copy, { recursive: true });
  }
});
