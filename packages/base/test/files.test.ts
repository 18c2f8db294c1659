/** Files written atomically. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AtomicFile, writeAtomically, writeTextAtomically, writeTextAtomicallySync } from "@cl/base/files";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cl-files-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const sync = async (path: string, text: string, options?: { makeFolders?: boolean }): Promise<void> =>
  writeTextAtomicallySync(path, text, options);

describe.each([
  ["writeTextAtomically", writeTextAtomically],
  ["writeTextAtomicallySync", sync],
])("%s", (_, write) => {
  test("creates or replaces a file and leaves no temporary files", async () => {
    const path = join(folder, "text");
    await write(path, "one");
    await write(path, "two");
    expect(readFileSync(path, "utf8")).toBe("two");
    expect(readdirSync(folder)).toEqual(["text"]);
  });

  test("writes through symbolic links and keeps them", async () => {
    const [target, link] = [join(folder, "target"), join(folder, "link")];
    writeFileSync(target, "old");
    symlinkSync(target, link);
    await write(link, "new");
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8")).toBe("new");
  });

  test("rejects a folder", async () => {
    mkdirSync(join(folder, "inner"));
    const error: unknown = await write(join(folder, "inner"), "text").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "TypeError", code: "ERR_INVALID_ARG_VALUE" });
    expect(readdirSync(folder)).toEqual(["inner"]);
  });

  test("writes directly to a path that is not a regular file", async () => {
    await write("/dev/null", "text");
    expect(lstatSync("/dev/null").isFile()).toBe(false);
  });

  test("rejects a missing folder unless makeFolders is set", async () => {
    const path = join(folder, "a", "b", "text");
    await expect(write(path, "text")).rejects.toMatchObject({ code: "ENOENT" });
    await write(path, "text", { makeFolders: true });
    expect(readFileSync(path, "utf8")).toBe("text");
  });
});

test("writeAtomically keeps the old file if writing fails", async () => {
  const path = join(folder, "file");
  writeFileSync(path, "old");
  const failing = writeAtomically(path, async (file) => {
    await file.append(Buffer.from("new"));
    throw new Error("on purpose");
  });
  await expect(failing).rejects.toThrow("on purpose");
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(folder)).toEqual(["file"]);
});

test("AtomicFile appends and overwrites, and creates the file on commit", async () => {
  const path = join(folder, "file");
  const file = await AtomicFile.create(path);
  await file.append(Buffer.from("0123"));
  await file.append(Buffer.from("4567"));
  await file.writeAt(Buffer.from("ab"), 1);
  expect(file.length).toBe(8);
  expect(readdirSync(folder)).not.toContain("file");
  await file.commit();
  expect(readFileSync(path, "utf8")).toBe("0ab34567");
});
