import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { source as add } from "./fixtures/kernels/add.cl.js";
import { source as branches } from "./fixtures/kernels/branches.cl.js";
import { source as grayScott } from "./fixtures/kernels/gray-scott.cl.js";
import { source as ordinary } from "./fixtures/kernels/ordinary.cl.js";
import { source as strange } from "./fixtures/kernels/strange.cl.js";
import * as literals from "./fixtures/literals.js";
import { source as strangeSignatures } from "./fixtures/signatures/strange.cl.js";
import { call, type Ended } from "./support/clkit.js";

const fixtures = fileURLToPath(new URL("fixtures/", import.meta.url));
const kernel = "__kernel void f(__global float *x, float a) { x[0] = a; }\n";
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "typegen-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function read(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

async function typegen(...args: readonly string[]): Promise<Ended> {
  return call(["typegen", ...args]);
}

describe("the fixtures", () => {
  test("equal typegen's output for their sources", async () => {
    const kernels = join(fixtures, "kernels");
    expect(await typegen(kernels, "--check")).toMatchObject({ code: 0, out: "" });
    const signatures = join(fixtures, "signatures");
    expect(await typegen(kernels, "--check", "--signatures", "--out", signatures)).toMatchObject({ code: 0, out: "" });
  });

  test("contain the sources' text, as do the literals that types are compared with", () => {
    const text = (name: string): string => readFileSync(join(fixtures, "kernels", `${name}.cl`), "utf8");
    expect([add, literals.add]).toEqual([text("add"), text("add")]);
    expect([branches, literals.branches]).toEqual([text("branches"), text("branches")]);
    expect([grayScott, literals.grayScott]).toEqual([text("gray-scott"), text("gray-scott")]);
    expect([ordinary, literals.ordinary]).toEqual([text("ordinary"), text("ordinary")]);
    expect([strange, literals.strange, strangeSignatures]).toEqual(Array.from({ length: 3 }, () => text("strange")));
  });
});

describe("modules", () => {
  test("are written next to their sources and listed on stdout", async () => {
    const path = write("f.cl", kernel);
    const { code, out, err } = await typegen(path);
    expect([code, err]).toEqual([0, "1 module, 1 written\n"]);
    expect(out.trimEnd().endsWith("f.cl.ts")).toBe(true);
    const text = read("f.cl.ts");
    expect(text).toMatch(/^\/\/ Made by clkit typegen from "f\.cl"/);
    expect(text).toContain(`\n${kernel}\` as const;\n`);
  });

  test("are written only when they change", async () => {
    const path = write("f.cl", kernel);
    await typegen(path);
    const before = statSync(join(folder, "f.cl.ts")).ino;
    expect(await typegen(path)).toMatchObject({ code: 0, out: "", err: "1 module, none of which changed\n" });
    expect(statSync(join(folder, "f.cl.ts")).ino).toBe(before);
    write("f.cl", `${kernel}// changed\n`);
    expect((await typegen(path)).out).toContain("f.cl.ts");
    expect(readdirSync(folder).sort()).toEqual(["f.cl", "f.cl.ts"]);
  });

  test("of folders and patterns keep their relative paths below --out", async () => {
    for (const name of ["a.cl", "b/b.cl", "b/c/c.cl", "b/c.h", "node_modules/d.cl", ".git/e.cl"]) write(name, kernel);
    const out = join(folder, "out");
    await typegen(folder, "--out", out);
    expect(readdirSync(out, { recursive: true }).map(String).sort()).toEqual(
      ["a.cl.ts", "b", join("b", "b.cl.ts"), join("b", "c"), join("b", "c", "c.cl.ts")].sort(),
    );
    const other = join(folder, "other");
    await typegen(join(folder, "b", "**", "{c,x}.cl"), "--out", other);
    expect(readdirSync(other, { recursive: true }).map(String).sort()).toEqual(["c", join("c", "c.cl.ts")]);
  });

  test("with the same output path are rejected", async () => {
    const paths = [write("a/f.cl", kernel), write("b/f.cl", kernel)];
    const { code, err } = await typegen(...paths, "--out", join(folder, "out"));
    expect(code).toBe(1);
    expect(err).toMatch(/the modules of .* and .* would both be .*f\.cl\.ts/);
  });

  test("do not overwrite files that typegen did not generate", async () => {
    const path = write("f.cl", kernel);
    write("f.cl.ts", "export const mine = 1;\n");
    const { code, err } = await typegen(path);
    expect(code).toBe(1);
    expect(err).toContain("was not made by clkit typegen");
    expect(read("f.cl.ts")).toBe("export const mine = 1;\n");
  });

  test("that cannot be read or written are reported", async () => {
    const path = write("f.cl", kernel);
    mkdirSync(join(folder, "f.cl.ts"));
    expect((await typegen(path)).err).toMatch(/^the module .*f\.cl\.ts cannot be read: EISDIR/);
    const { code, err } = await typegen(path, "--out", join(path, "below"));
    expect(code).toBe(1);
    expect(err).toMatch(/^the module .*f\.cl\.ts cannot be (?:read|written): ENOTDIR/);
    // In /proc, mkdir fails with ENOENT, on which mkdir with `recursive` retries forever.
    const nowhere = await typegen(path, "--out", "/proc/clkit/deep");
    expect([nowhere.code, nowhere.err]).toEqual([
      1,
      expect.stringMatching(/^the module .*f\.cl\.ts cannot be written: .*mkdir .*\/clkit/),
    ]);
  });

  test("start with the macros of --define", async () => {
    const path = write("f.cl", "__kernel void f(__global real *x) {}\n");
    await typegen(path, "-D", "real=float", "--define", "N");
    expect(read("f.cl.ts")).toContain("`\\\n#define real float\n#define N 1\n__kernel void f");
  });

  test("of a long source use its signatures as their type", async () => {
    const body = "  x[0] += a / 2; // more\n".repeat(2000);
    const path = write("f.cl", `__kernel void f(__global float *x, float a) {\n${body}}\n`);
    expect(await typegen(path)).toMatchObject({ code: 0, err: "1 module, 1 written\n" });
    expect(read("f.cl.ts")).toContain("type Signatures = `\\\n__kernel void f(__global float *x, float a) {}\n`;");
    expect(read("f.cl.ts")).toContain(body);
  });

  test("of sources too long for types are plain strings, with a warning", async () => {
    const path = write("f.cl", Array.from({ length: 1000 }, (_, i) => `__kernel void f${i}(int a) {}\n`).join(""));
    const { code, err } = await typegen(path);
    expect(code).toBe(0);
    expect(err).toContain("is too long or too strange for types");
    expect(read("f.cl.ts")).toContain("export const source: string = ");
  });
});

describe("--inline", () => {
  test("puts included files into the module", async () => {
    write("include/real.h", "#pragma once\ntypedef float real;\n");
    write("lib/twice.h", '#include "real.h"\nreal twice(real x) { return 2 * x; }');
    const path = write(
      "f.cl",
      '#include "real.h"\n#include "lib/twice.h"\n// #include "no.h"\n#include <sys.h>\nkernel void f(real a) {}\n',
    );
    expect(await typegen(path, "--inline", "-I", join(folder, "include"))).toMatchObject({ code: 0 });
    expect(read("f.cl.ts")).toContain(
      '`\\\ntypedef float real;\n\n\nreal twice(real x) { return 2 * x; }\n// #include "no.h"\n#include <sys.h>\nkernel',
    );
  });

  test("guards a `#pragma once` header in a condition by a macro", async () => {
    write("a.h", "#pragma once\nint a;\n");
    const path = write("f.cl", '#if X\n#include "a.h"\n#endif\n#include "a.h"\nkernel void f() {}\n');
    await typegen(path, "--inline");
    const guarded = "#ifndef CLKIT_ONCE_0\n#define CLKIT_ONCE_0\nint a;\n\n#endif";
    expect(read("f.cl.ts")).toContain(`#if X\n${guarded}\n#endif\n${guarded}\nkernel`);
  });

  test("reports the line of a missing or recursive include", async () => {
    const path = write("f.cl", 'kernel void f() {}\n#include "no.h"\n');
    expect(await typegen(path, "--inline")).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^line 2 of .*f\.cl includes "no\.h", which is not in .*\n/),
    });
    write("no.h", '#include "no.h"\n');
    expect((await typegen(path, "--inline")).err).toMatch(
      /line 1 of .*no\.h includes "no\.h", which includes this again/,
    );
  });

  test("stops at a size limit for exponentially growing includes", async () => {
    for (let i = 0; i < 30; i++) write(`${i}.h`, `#include "${i + 1}.h"\n#include "${i + 1}.h"\n`);
    write("30.h", "int a;\n".repeat(100_000));
    const { code, err } = await typegen(write("f.cl", '#include "0.h"\n'), "--inline");
    expect(code).toBe(1);
    expect(err).toContain("come to more than 4 MiB");
  });
});

describe("--check", () => {
  test("exits with 1 and lists missing and stale modules", async () => {
    write("a.cl", kernel);
    const stale = write("b.cl", kernel);
    await typegen(stale);
    write("b.cl", `${kernel}\n`);
    const { code, out, err } = await typegen(folder, "--check");
    expect(code).toBe(1);
    expect(out.split("\n").map((line) => line.slice(-7))).toEqual(["a.cl.ts", "b.cl.ts", ""]);
    expect(err).toBe("2 of 2 modules must be made anew\n");
    expect(readdirSync(folder).sort()).toEqual(["a.cl", "b.cl", "b.cl.ts"]);
  });

  test("ignores differences in line breaks", async () => {
    const path = write("a.cl", kernel);
    await typegen(path);
    write("a.cl.ts", read("a.cl.ts").replaceAll("\n", "\r\n"));
    expect(await typegen(path, "--check")).toMatchObject({ code: 0, err: "0 of 1 module must be made anew\n" });
  });
});

describe("errors", () => {
  test.each([
    [[], "There is no file to read"],
    [["a.cl", "--check", "--watch"], "--check looks once"],
    [["a.cl", "--include", "x"], "--include is for --inline"],
    [["a.cl", "--define", "1x"], '--define takes NAME or NAME=VALUE in one line, received "1x"'],
    [["a.cl", "--out", ""], "--out needs"],
  ])("%j exits with code 2", async (args, sentence) => {
    const { code, out, err } = await typegen(...args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
  });

  test.each([
    [[join("no", "such.cl")], "there is no file"],
    [[join("no", "*.cl")], "no file matches"],
    [[join("no", "{{a}.cl")], "has a { without its }"],
  ])("%j exits with code 1", async (args, sentence) => {
    const { code, err } = await typegen(...args);
    expect(code).toBe(1);
    expect(err).toContain(sentence);
  });

  test("a wrong source does not prevent the modules of others", async () => {
    write("a.cl", Uint8Array.of(0xff, 0xfe, 0x41, 0));
    write("b.cl", "kernel void f() {}\0");
    write("c.cl", " \n");
    write("d.cl", kernel);
    const { code, out, err } = await typegen(folder);
    expect(code).toBe(1);
    expect(out.trimEnd().endsWith("d.cl.ts")).toBe(true);
    expect(err).toMatch(
      /a\.cl has a NUL character.*\n.*b\.cl has a NUL character.*\n.*c\.cl is empty\n1 module, 1 written\n/,
    );
  });
});

describe("sources that are not UTF-8", () => {
  const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

  test("are read as Latin-1, with a message on stderr", async () => {
    const path = write("a.cl", latin1(`// Größe und Länge\n${kernel}`));
    const { code, out, err } = await typegen(path);
    expect(code).toBe(0);
    // A path is shown relative to the current folder if that is shorter.
    expect(err).toMatch(/a\.cl is not UTF-8: read as Latin-1\n1 module, 1 written\n$/);
    expect(out).toMatch(/a\.cl\.ts\n$/);
    expect(read("a.cl.ts")).toContain("// Größe und Länge\n__kernel void f(");
    expect(await typegen(path, "--check")).toMatchObject({ code: 0, out: "" });
  });

  test("can be included", async () => {
    write("size.h", latin1("// Größe\n#define SIZE 4\n"));
    const path = write("a.cl", `#include "size.h"\n${kernel}`);
    const { code, err } = await typegen(path, "--inline");
    expect(code).toBe(0);
    expect(err).toContain("size.h is not UTF-8: read as Latin-1");
    expect(read("a.cl.ts")).toContain("// Größe\n#define SIZE 4\n");
  });

  test("with a UTF-8 byte order mark have modules without it", async () => {
    const path = write("a.cl", `\uFEFF${kernel}`);
    expect(await typegen(path)).toMatchObject({ code: 0, err: "1 module, 1 written\n" });
    expect(read("a.cl.ts")).not.toContain("\uFEFF");
  });
});

test("--watch fails if it cannot start", async () => {
  const paths = [write("a/f.cl", kernel), write("b/f.cl", kernel)];
  const { code, err } = await typegen(...paths, "--watch", "--out", join(folder, "out"));
  expect(code).toBe(1);
  expect(err).toContain("would both be");
});

test("--watch handles changed, new, deleted and invalid files until it is aborted", async () => {
  const kernels = join(folder, "kernels");
  write("kernels/a.cl", kernel);
  const ending = new AbortController();
  const heard = { out: "", err: "" };
  const ended = call(["typegen", kernels, "--watch"], {
    signal: ending.signal,
    heard: (name, text) => void (heard[name] += text),
  });
  const until = async (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000, interval: 20 });
  await until(() => expect(read("kernels/a.cl.ts")).toContain(kernel));

  write("kernels/a.cl", `${kernel}// once\n`);
  await until(() => expect(read("kernels/a.cl.ts")).toContain("// once"));
  write("kernels/deep/er/b.cl", kernel);
  await until(() => expect(read("kernels/deep/er/b.cl.ts")).toContain(kernel));
  write("kernels/deep/er/b.cl", "a\0");
  await until(() => expect(heard.err).toMatch(/b\.cl has a NUL character/));
  write("kernels/a.cl", `${kernel}// twice\n`);
  await until(() => expect(read("kernels/a.cl.ts")).toContain("// twice"));
  rmSync(join(kernels, "deep"), { recursive: true });
  await until(() => expect(heard.err).toMatch(/b\.cl is gone; .*b\.cl\.ts is left/));
  write("kernels/deep/er/b.cl", `${kernel}// again\n`);
  await until(() => expect(read("kernels/deep/er/b.cl.ts")).toContain("// again"));
  rmSync(kernels, { recursive: true });
  await until(() => expect(heard.err).toMatch(/a\.cl is gone/));

  ending.abort();
  expect(await ended).toMatchObject({ code: 0 });
  expect(heard.err.match(/has a NUL character/g)).toHaveLength(1);
});
