import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { OutOfMemoryError, DeviceBuffer } from "@cl/core";
import { LogAdaptor, type LogLine, readTrace } from "@cl/tools";
import { afterAll, expect, test } from "vitest";

import { context, outOfMemory, plain, ScriptedAllocator } from "./support/allocators.js";
import { collectUntil, turns } from "@cl/base/testing";
import { errorLike, wrongType } from "@cl/testing/error-like";
import { sample } from "@cl/testing/level";

const folder = mkdtempSync(join(tmpdir(), "cl-log-"));
afterAll(() => rmSync(folder, { recursive: true }));

const linesOf = (path: string): LogLine[] =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as LogLine);

test("LogAdaptor writes a line of JSON per allocation, release and failure", () => {
  const lines: LogLine[] = [];
  const upstream = new ScriptedAllocator((bytes, call) => {
    if (call === 3) throw outOfMemory("full");
    return bytes === 0 ? null : new DeviceBuffer(context, call === 2 ? bytes + 1 : bytes);
  });
  const logged = new LogAdaptor(upstream, (line) => lines.push(JSON.parse(line) as LogLine));
  const one = logged.allocate(100);
  const other = logged.allocate(50);
  expect(() => logged.allocate(70)).toThrow(errorLike(OutOfMemoryError, "CL_MEM_OBJECT_ALLOCATION_FAILURE"));
  expect(logged.allocate(0)).toBeNull();
  other?.release();
  one?.release();
  const time: unknown = expect.any(Number);
  expect(lines).toEqual([
    { op: "begin", version: 1, started: expect.stringMatching(/^\d{4}-.*Z$/), allocator: "ScriptedAllocator" },
    { op: "allocate", id: 1, bytes: 100, time },
    { op: "allocate", id: 2, bytes: 50, size: 51, time },
    { op: "fail", bytes: 70, error: "OutOfMemoryError: full", time },
    { op: "release", id: 2, time },
    { op: "release", id: 1, time },
  ]);
  const times = lines.flatMap((line) => ("time" in line ? [line.time] : []));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test("LogAdaptor logs garbage-collected memory as released", async () => {
  const lines: string[] = [];
  const logged = new LogAdaptor(plain, (line) => lines.push(line));
  (() => {
    logged.allocate(10);
  })();
  expect(await collectUntil(() => lines.some((line) => line.includes('"release"')))).toBe(true);
});

test("LogAdaptor rethrows errors of its write function and releases the memory", () => {
  let given: DeviceBuffer | undefined;
  const upstream = new ScriptedAllocator((bytes) => (given = new DeviceBuffer(context, bytes)));
  const logged = new LogAdaptor(upstream, (line) => {
    if (line.includes('"allocate"')) throw new Error("the disk is full");
  });
  expect(() => logged.allocate(10)).toThrow("the disk is full");
  expect(given?.released).toBe(true);
  expect(() => new LogAdaptor(plain, "log.jsonl" as never)).toThrow(wrongType("write"));
});

test("a log file is complete when it is closed, and readTrace reads it", async () => {
  const path = join(folder, "closed.jsonl");
  writeFileSync(path, "what was there before, and is longer than the first lines of the log\n".repeat(100));
  {
    await using logged = await LogAdaptor.toFile(plain, path);
    for (let i = 0; i < 100; i++) logged.allocate(100 + i)?.release();
    await turns();
    for (let i = 0; i < 100; i++) logged.allocate(300 + i)?.release();
  }
  const lines = linesOf(path);
  expect(lines).toHaveLength(401);
  expect(lines.at(-1)).toMatchObject({ op: "release", id: 200 });
  const trace = await readTrace(pathToFileURL(path));
  expect([trace.requests, trace.steps, trace.slots, trace.peakBytes]).toEqual([200, 400, 1, 399]);
});

test("LogAdaptor still allocates after close, but logs nothing", async () => {
  const path = join(folder, "after.jsonl");
  const logged = await LogAdaptor.toFile(plain, path);
  const memory = logged.allocate(10);
  // Lines are written asynchronously.
  expect(readFileSync(path, "utf8")).toBe("");
  await logged.close();
  await logged.close();
  memory?.release();
  using more = logged.allocate(20);
  expect(more?.size).toBe(20);
  expect(linesOf(path)).toHaveLength(2);
});

test("all logs share one exit listener, which is removed when they are closed", async () => {
  const before = process.listenerCount("exit");
  const logs = await Promise.all(
    Array.from({ length: 20 }, (_, i) => LogAdaptor.toFile(plain, join(folder, `${i}.jsonl`))),
  );
  expect(process.listenerCount("exit")).toBe(before + 1);
  for (const log of logs) await log.close();
  expect(process.listenerCount("exit")).toBe(before);
});

test("LogAdaptor rejects a file that cannot be opened or is not a file", async () => {
  await expect(LogAdaptor.toFile(plain, join(folder, "nowhere", "log"))).rejects.toThrow(errorLike(Error, "ENOENT"));
  await expect(LogAdaptor.toFile(plain, "/dev/null")).rejects.toThrow(wrongType("path"));
  await expect(LogAdaptor.toFile(plain, 7 as never)).rejects.toThrow(wrongType("path"));
  await expect(LogAdaptor.toFile({} as never, join(folder, "none"))).rejects.toThrow(wrongType("upstream"));
});

const endings: readonly (readonly [name: string, code: string, status: number])[] = [
  ["calls process.exit with a chunk in flight", "setImmediate(() => setImmediate(() => process.exit(4)));", 4],
  ["fails", 'throw new Error("on purpose");', 1],
  ["ends normally", "", 0],
];
test.each(sample(endings, 1))("no line is lost when the process %s without closing the log", (name, end, status) => {
  const path = join(folder, `${name}.jsonl`);
  const script = `
    import { Context } from "@cl/core";
    import { DeferredAllocator, LogAdaptor } from "@cl/tools";
    const logged = await LogAdaptor.toFile(new DeferredAllocator(Context.create()), process.argv[1]);
    for (let i = 0; i < 5000; i++) logged.allocate(1 + i).release();
    await new Promise((resolve) => setImmediate(resolve));
    for (let i = 0; i < 500; i++) logged.allocate(1 + i).release();
    ${end}
  `;
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const child = spawnSync(process.execPath, ["--input-type=module", "-e", script, path], { cwd, encoding: "utf8" });
  expect({ status: child.status, stderr: status === 1 ? "" : child.stderr }).toEqual({ status, stderr: "" });
  const lines = linesOf(path);
  expect(lines).toHaveLength(11_001);
  expect(lines.at(-1)).toMatchObject({ op: "release", id: 5500 });
});
