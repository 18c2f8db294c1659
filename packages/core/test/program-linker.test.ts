import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Context, getPlatforms, Program } from "@cl/core";
import { isPoclBefore } from "@cl/core/internal";

import { needs } from "@cl/base/testing";
import { notSupported } from "@cl/testing/core-errors";

// PoCL before version 7 ends the whole process if the program `ld` is missing.
const pocl = getPlatforms().find((platform) => platform.name === "Portable Computing Language");
const context = pocl === undefined ? Context.create() : Context.create("pocl");
const needsLinker = pocl !== undefined && isPoclBefore(pocl, 7);
const why = "there is no PoCL before version 7";
const device = context.devices[0] as (typeof context.devices)[number];
const source = "__kernel void f(__global int *x) { x[0] = 1; }";
const { PATH } = process.env;
let empty: string;

beforeAll(() => {
  empty = mkdtempSync(`${tmpdir()}/cl-no-linker-`);
});
afterEach(() => {
  process.env["PATH"] = PATH;
});
afterAll(() => {
  rmSync(empty, { recursive: true });
});

test("calls that need the linker throw if it is missing, instead of ending the process", async (run) => {
  needs(run, needsLinker, why);
  const compiled = await new Program(context, source).compile();
  const { binaries } = await new Program(context, source).build();
  process.env["PATH"] = `${empty}:${empty}/none`;
  await expect(new Program(context, source).build()).rejects.toThrow(notSupported());
  expect(() => new Program(context, source).buildSync()).toThrow(notSupported());
  expect(() => new Program(context, source).compileSync()).toThrow(notSupported());
  expect(() => Program.linkSync(context, [compiled])).toThrow(notSupported());
  expect(() => Program.fromBinaries(context, binaries)).toThrow(notSupported());
});

test("builds work again once the linker is present", async (run) => {
  needs(run, needsLinker, why);
  process.env["PATH"] = empty;
  const program = new Program(context, source);
  await expect(program.build()).rejects.toThrow(notSupported());
  process.env["PATH"] = PATH;
  await program.build();
  expect(program.log(device)).toBe("");
});
