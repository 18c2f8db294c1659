/** Overlapping sub-buffers on NVIDIA's driver, which cannot free them; tested on the fake driver under its name. */
import { expect, test } from "vitest";

import { type FakeRun, runWithFake } from "@cl/testing/fake-opencl/run";

const run = (script: string, platform = "NVIDIA CUDA"): Promise<FakeRun> =>
  runWithFake(
    `
      import { Context, DeviceBuffer } from "@cl/core";
      const context = Context.create();
      const whole = new DeviceBuffer(context, 2 ** 16);
      const at = (place, blocks = 1) => whole.subBuffer(place * 4096, blocks * 4096);
      ${script}
      whole.release();
    `,
    { env: { FAKE_CL_PLATFORM_NAME: platform } },
  );

/** Result with the warning once, and the sub-buffers and their parent alive at exit. */
const leaked = (parts: number): object => ({
  code: 0,
  stderr: expect.stringMatching(/^[^\n]*CL_OVERLAPPING_PARTS[^\n]*stay allocated until the process exits\n[^\n]*\n$/),
  report: { notes: [], misuse: 0, live: { mem: parts + 1 } },
});
const freed = { code: 0, stderr: "", report: { notes: [], misuse: 0, live: { mem: 0 } } };

test("overlapping sub-buffers and their parent stay allocated, with one warning per process", async () => {
  expect(await run("for (const part of [at(0, 2), at(1), at(1, 3), at(8)]) part.release();")).toMatchObject(leaked(3));
});

test("creating a sub-buffer of the same range again reuses the first", async () => {
  expect(
    await run("for (let i = 0; i < 1000; i++) { at(0, 2).release(); at(1, 2).release(); at(0, 3); }"),
  ).toMatchObject(leaked(3));
});

test("a sub-buffer as another type keeps the original alive", { tags: "ci" }, async () => {
  const script =
    "const part = at(0, 2); const same = part.as(Uint8Array); part.release(); at(1).release(); same.release();";
  expect(await run(script)).toMatchObject(leaked(2));
});

test("sub-buffers next to each other, one after the other, or of the same bytes are freed", async () => {
  const script = `
    for (const part of [at(0, 2), at(2), at(3)]) part.release();
    at(0, 2).release(); at(1, 2).release(); at(0, 3).release();
    for (const part of [at(4, 2), at(4, 2), at(4, 2)]) part.release();`;
  expect(await run(script)).toMatchObject(freed);
});

test("other drivers free all overlapping sub-buffers", { tags: "ci" }, async () => {
  expect(await run("for (const part of [at(0, 2), at(1), at(1, 3)]) part.release();", "Another")).toMatchObject(freed);
});
