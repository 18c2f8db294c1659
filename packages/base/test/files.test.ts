/** Files that are written completely or not at all. */
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
  ["with a promise", writeTextAtomically],
  ["without", sync],
])("a text file, %s,", (_, write) => {
  test("is new, or replaces the old one, and nothing else is left", async () => {
    const path = join(folder, "text");
    await write(path, "one");
    await write(path, "two");
    expect(readFileSync(path, "utf8")).toBe("two");
    expect(readdirSync(folder)).toEqual(["text"]);
  });

  test("is written through links, which stay", async () => {
    const [target, link] = [join(folder, "target"), join(folder, "link")];
    writeFileSync(target, "old");
    symlinkSync(target, link);
    await write(link, "new");
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8")).toBe("new");
  });

  test("cannot replace a folder", async () => {
    mkdirSync(join(folder, "inner"));
    const error: unknown = await write(join(folder, "inner"), "text").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "TypeError", code: "ERR_INVALID_ARG_VALUE" });
    expect(readdirSync(folder)).toEqual(["inner"]);
  });

  test("is written directly to what is not a file", async () => {
    await write("/dev/null", "text");
    expect(lstatSync("/dev/null").isFile()).toBe(false);
  });

  test("needs its folder, unless that may be made", async () => {
    const path = join(folder, "a", "b", "text");
    await expect(write(path, "text")).rejects.toMatchObject({ code: "ENOENT" });
    await write(path, "text", { makeFolders: true });
    expect(readFileSync(path, "utf8")).toBe("text");
  });
});

test("a file that cannot be written completely leaves the old one", async () => {
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

test("a file is written in parts, and over parts", async () => {
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
