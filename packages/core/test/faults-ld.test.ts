/** PoCL before version 7 aborts the process if no linker is found; the package must throw first. */
import { getPlatforms } from "@cl/core";
import { isPoclBefore } from "@cl/core/internal";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { lastResult, runModule } from "@cl/testing/run-module";

const source = `
  import { writeSync } from "node:fs";
  import { Context, CommandQueue, DeviceBuffer, Program } from "@cl/core";
  const context = Context.create("pocl");
  const messages = [];
  const record = (error) => messages.push(error.name + ": " + error.message);
  const text = "__kernel void f(__global int *x) { x[0] = 1; }";
  process.env.PATH = "/nonexistent";
  await new Program(context, text).build({ cache: false }).catch(record);
  try { new Program(context, text).buildSync({ cache: false }); } catch (error) { record(error); }
  await new Program(context, text).compile().catch(record);
  const x = DeviceBuffer.from(context, Int32Array.of(5));
  const queue = new CommandQueue(context);
  const read = [...(await queue.read(x))];
  writeSync(1, JSON.stringify({ messages, read }));`;

const pocl = getPlatforms().find((platform) => platform.name === "Portable Computing Language");
const needsLinker = pocl !== undefined && isPoclBefore(pocl, 7);

test("building without `ld` throws an error that names the missing package, and other calls work", async (run) => {
  needs(run, needsLinker, "there is no PoCL before version 7");
  const { messages, read } = lastResult(await runModule({ source })) as { messages: string[]; read: number[] };
  expect(messages).toHaveLength(3);
  for (const message of messages) expect(message).toMatch(/^NotSupportedError: .*`ld`.*binutils/s);
  expect(read).toEqual([5]);
});

test("destructor callbacks can use the destroyed object, release others and throw", async () => {
  const script = `
    import { writeSync } from "node:fs";
    import { until } from "@cl/base/testing";
    import { Context, CommandQueue, DeviceBuffer } from "@cl/core";
    const context = Context.create();
    const queue = new CommandQueue(context);
    const other = DeviceBuffer.empty(context, Int32Array, 4);
    const messages = [];
    process.on("uncaughtException", (error) => messages.push("uncaught " + error.message));
    const x = DeviceBuffer.from(context, Int32Array.of(1, 2, 3, 4));
    x.onDestroyed(() => messages.push("first " + x.released));
    x.onDestroyed(() => { other.release(); messages.push("second"); });
    x.onDestroyed(() => { throw new Error("mine"); });
    x.onDestroyed(() => { try { x.pointer; } catch (error) { messages.push(error.name); } });
    const own = new DeviceBuffer(context, { host: new Int32Array(4), hostPointer: "use" });
    own.onDestroyed(() => messages.push("own"));
    queue.enqueueFill(own, Int32Array.of(1));
    own.release();
    await queue.finish();
    x.release();
    await until(() => messages.length === 5);
    writeSync(1, JSON.stringify({ messages: messages.sort() }));`;
  const { messages } = lastResult(await runModule({ source: script })) as { messages: string[] };
  expect(messages).toEqual(["DisposedError", "first true", "own", "second", "uncaught mine"]);
});
