import { needsLibraryFor, platforms } from "./support/library.js";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const readelf = (option: string, folder: string): string =>
  execFileSync("readelf", ["-W", option, join(folder, "lib/libpocl.so")], { encoding: "utf8", maxBuffer: 2 ** 26 });

const newer = (a: string, b: string): string => (a.localeCompare(b, "en", { numeric: true }) < 0 ? b : a);

/** Libraries that Node.js and glibc provide on every platform. */
const common = ["libc.so.6", "libm.so.6", "libgcc_s.so.1"];
/** Those of one platform, and the kernel library's variants. */
const differences = {
  "linux-x64": { provided: ["libmvec.so.1", "ld-linux-x86-64.so.2"], levels: ["sse2", "avx2", "avx512"] },
  "linux-arm64": { provided: ["ld-linux-aarch64.so.1"], levels: ["generic"] },
};

describe.for(platforms)("the library for %s", (platform) => {
  test("requires at most glibc 2.34", (run) => {
    const versions = [...readelf("-V", needsLibraryFor(run, platform)).matchAll(/GLIBC_([\d.]+)/g)].map(
      ([, version = ""]) => version,
    );
    expect(versions.reduce(newer, "2.34")).toBe("2.34");
  });

  test("depends only on libraries that Node.js and glibc provide", (run) => {
    const needed = [...readelf("-d", needsLibraryFor(run, platform)).matchAll(/NEEDED.*\[(.+)\]/g)].map(
      ([, name]) => name,
    );
    const provided = [...common, ...differences[platform].provided];
    expect(needed.filter((name) => !provided.includes(name ?? ""))).toEqual([]);
  });

  test("exports the functions of OpenCL and the one that kernels' printf calls", (run) => {
    const rows = readelf("--dyn-syms", needsLibraryFor(run, platform)).split("\n");
    const exported = rows.flatMap((row) => /\s(?:GLOBAL|WEAK)\s+\w+\s+\d+\s+(\w+)/.exec(row)?.[1] ?? []);
    expect(exported).toContain("clGetPlatformIDs");
    expect(exported.filter((name) => !/^cl[A-Z]/.test(name))).toEqual(["pocl_flush_printf_buffer"]);
  });

  test("has the kernel library for each level of processors", (run) => {
    const files = readdirSync(join(needsLibraryFor(run, platform), "share/pocl"));
    for (const level of differences[platform].levels) {
      expect(files.some((file) => file.endsWith(`-${level}.bc`))).toBe(true);
    }
    expect(files).toContain("libclang_rt.builtins.a");
    expect(files).toContain("include");
  });

  test("contains the text of each component's license", (run) => {
    const folder = needsLibraryFor(run, platform);
    const rows = readFileSync(join(folder, "licenses/README.md"), "utf8").match(/^\| .*\.txt\) \|$/gm) ?? [];
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) {
      const file = /\((.+\.txt)\)/.exec(row)?.[1] ?? "";
      expect(readFileSync(join(folder, "licenses", file), "utf8")).toMatch(/permi|licen[sc]e/i);
    }
    const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { license: string };
    const components = JSON.parse(readFileSync(join(folder, "sbom.json"), "utf8")) as {
      readonly licenses: readonly { readonly expression: string }[];
    }[];
    const declared = license.split(" AND ");
    for (const { licenses } of components) expect(declared).toContain(licenses[0]?.expression);
  });

  test("has a tarball of at most 55 MB", (run) => {
    const folder = needsLibraryFor(run, platform);
    const [{ size, files }] = JSON.parse(
      execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: folder, encoding: "utf8" }),
    ) as [{ size: number; files: readonly { readonly path: string }[] }];
    expect(size).toBeLessThan(55e6);
    expect(files.map(({ path }) => path)).toContain("lib/libpocl.so");
    expect(existsSync(join(folder, "README.md"))).toBe(true);
  });
});
