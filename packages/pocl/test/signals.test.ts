import { needsLibrary, runOnLibrary } from "./support/library.js";
import { expect, test } from "vitest";

test("leaves signal handlers as they were", async (run) => {
  const result = await runOnLibrary(
    needsLibrary(run),
    `import { readFileSync } from "node:fs";
    import { once } from "node:events";
    const caught = () => /SigCgt:\\s*(\\w+)/.exec(readFileSync("/proc/self/status", "utf8"))[1];
    const before = caught();
    const build = (text) => new Program(context, text).build();
    const program = await build("__kernel void divide(__global int *x, int by) { x[get_global_id(0)] /= by; }");
    await build("__kernel void broken() { no; }").catch(() => undefined);
    const x = DeviceBuffer.from(context, Int32Array.of(6, 9));
    const kernel = program.kernel("divide");
    kernel.launch(queue, { global: 2 }, x, 3);
    const divided = [...(await queue.read(x))];
    kernel.launch(queue, { global: 2 }, x, 0);
    await queue.finish();
    const after = caught();
    // V8 reports accesses outside of a WebAssembly memory through its handler for SIGSEGV.
    const bytes = Uint8Array.of(0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,5,3,1,0,1,7,5,1,1,102,0,0,10,13,1,11,0,65,128,128,128,1,40,2,0,26,11);
    let trap;
    try { new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.f(); } catch (error) { trap = error.name; }
    const interrupted = once(process, "SIGINT");
    // A listener of a signal does not keep the process alive.
    const alive = setInterval(() => undefined, 1000);
    process.kill(process.pid, "SIGINT");
    await interrupted;
    clearInterval(alive);
    console.log(JSON.stringify({ added: before === after ? "none" : [before, after].join(), divided, trap }));`,
  );
  expect(result).toEqual({ added: "none", divided: [2, 3], trap: "RuntimeError" });
});
