import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test, vi } from "vitest";

import { turns } from "@cl/base/testing";
import { LineFile } from "../../src/adaptors/line-file.js";

const folder = mkdtempSync(join(tmpdir(), "cl-lines-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("LineFile preserves the order and bytes of lines for any chunk size", async () => {
  const path = join(folder, "order");
  const file = await LineFile.open(path);
  const said: string[] = [];
  for (let i = 0; i < 2000; i++) {
    said.push(`${i}: ${"ä€😀".repeat(i % 7)}`);
    file.write(said[i] as string);
    if (i % 100 === 0) await turns(1 + (i % 3));
  }
  await file.close();
  expect(readFileSync(path, "utf8")).toBe(`${said.join("\n")}\n`);
});

test("LineFile writes lines even if the event loop never turns", async () => {
  const path = join(folder, "busy");
  const file = await LineFile.open(path);
  const line = "x".repeat(1024 * 1024 - 1);
  for (let i = 0; i < 40; i++) file.write(line);
  // Two chunks of more than 16 MiB were written synchronously.
  expect(readFileSync(path).length).toBeGreaterThan(32 * 1024 * 1024);
  await file.close();
  expect(readFileSync(path).length).toBe(40 * 1024 * 1024);
});

test("LineFile handles a chunk that is in flight when the process exits", async () => {
  const path = join(folder, "twice");
  const file = await LineFile.open(path);
  file.write("first");
  await new Promise((resolve) => setImmediate(resolve));
  file.write("second");
  file.finishSync();
  file.finishSync();
  expect(readFileSync(path, "utf8")).toBe("first\nsecond\n");
  await file.close();
  expect(readFileSync(path, "utf8")).toBe("first\nsecond\n");
});

test("a write error emits a warning and makes close reject", async () => {
  const file = await LineFile.open(join(folder, "closed"));
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  // Closing the handle simulates a full disk.
  const broken = vi.spyOn(Object.getPrototypeOf(await handleOf(folder)) as { write: () => unknown }, "write");
  broken.mockRejectedValue(new Error("no space left on device"));
  try {
    file.write("lost");
    await vi.waitFor(() => expect(warned).toHaveBeenCalledTimes(1));
    expect(String(warned.mock.calls[0]?.[0])).toMatch(/is incomplete: no space left on device/);
    file.write("lost, too");
    await expect(file.close()).rejects.toThrow("no space left on device");
    expect(warned).toHaveBeenCalledTimes(1);
  } finally {
    broken.mockRestore();
    warned.mockRestore();
  }
});

async function handleOf(path: string): Promise<object> {
  const { open } = await import("node:fs/promises");
  const handle = await open(path, "r");
  await handle.close();
  return handle;
}
