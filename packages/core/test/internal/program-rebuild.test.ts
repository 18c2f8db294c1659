import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { native } from "../../src/binding/native.js";
import { type CacheEntry, decodeEntry, encodeEntry } from "../../src/cache/entry.js";
import { Context, getPlatforms, Program } from "../../src/index.js";
import { describedArguments } from "../../src/program/kernel-descriptions.js";
import { noteFirstLaunch, storeDuePrograms } from "../../src/program/program-refresh.js";
import { needs } from "@cl/base/testing";

const directory = fs.mkdtempSync(path.join(os.tmpdir(), "cl-rebuild-"));
process.env["CL_CACHE_DIR"] = directory;
delete process.env["CL_NO_CACHE"];
afterAll(() => fs.rmSync(directory, { recursive: true }));

const pocl = getPlatforms().find((platform) => platform.name === "Portable Computing Language");
const context = pocl === undefined ? Context.create() : Context.create("pocl");
const why = "this is about PoCL, which is not here";
const source = "__kernel void go(__global int *x, float by) { x[0] *= by; }";

function entries(): string[] {
  const names = fs.readdirSync(directory, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".clb")).map((name) => path.join(directory, name));
}

test("a cached binary that the driver rejects is rebuilt from source and replaced", async (run) => {
  needs(run, pocl !== undefined, why);
  const first = await new Program(context, source).build({ cache: true });
  expect(entries()).toEqual([]);
  noteFirstLaunch(first);
  await storeDuePrograms();
  const [file] = entries() as [string];
  const key = path.basename(file, ".clb");
  const good = decodeEntry(new Uint8Array(fs.readFileSync(file)), key) as CacheEntry;
  expect(good.binaries).toHaveLength(2);

  const refused = Uint8Array.of(1, 2, 3, 4);
  fs.writeFileSync(file, encodeEntry({ ...good, binaries: [refused, good.binaries[1] as Uint8Array] }));
  const second = await new Program(context, source).build({ cache: true });
  expect(second.kernelNames).toEqual(["go"]);
  noteFirstLaunch(second);
  await storeDuePrograms();
  expect(decodeEntry(new Uint8Array(fs.readFileSync(file)), key)?.binaries[0]?.length).toBeGreaterThan(1000);

  const third = await new Program(context, source).build({ cache: true });
  expect(describedArguments(third, "go")?.map(({ name, typeName }) => `${typeName} ${name}`)).toEqual([
    "int* x",
    "float by",
  ]);
  expect(describedArguments(third, "constructor")).toBeUndefined();
  expect(describedArguments(second, "go")).toBeUndefined();
});

test("a program is stored even if its context is released before", async (run) => {
  needs(run, pocl !== undefined, why);
  const before = entries().length;
  const own = new Context(context.devices);
  const program = await new Program(own, source.replace("go", "gone")).build({ cache: true });
  noteFirstLaunch(program);
  program.release();
  own.release();
  await storeDuePrograms();
  expect(entries()).toHaveLength(before + 1);
});

test("the second program of a store is queried and released on another thread", async (run) => {
  needs(run, pocl !== undefined, why);
  const program = await new Program(context, source.replace("go", "apart")).build({ cache: true });
  noteFirstLaunch(program);
  const queries = vi.spyOn(native, "prepareBinaries");
  const releases = vi.spyOn(native, "discardProgram");
  const recycled = vi.spyOn(native, "recycle");
  await storeDuePrograms();
  const [second] = queries.mock.calls[0] ?? [];
  expect(releases.mock.calls.map(([handle]) => handle)).toEqual([second]);
  expect(recycled.mock.calls.flat()).not.toContain(second);
  vi.restoreAllMocks();
});
