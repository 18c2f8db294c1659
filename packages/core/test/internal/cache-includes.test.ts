import fs from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { includeDirectories, normalizeOptions, untraceableOption } from "../../src/cache/build-options.js";
import { runAsync, runSync } from "../../src/cache/either.js";
import { scanDirectives } from "../../src/cache/include-directives.js";
import { areUnchanged, scanIncludes } from "../../src/cache/includes.js";
import type { IncludeScan } from "../../src/cache/includes.js";
import { scratchDirectory, sentenceWith, writeText } from "./fixtures/cache-scratch.js";

describe("include directives", () => {
  test.each([
    ['#include "a.h"', ["a.h"]],
    ["#include <a.h>", ["a.h"]],
    ['  #  include   "a.h" // why', ["a.h"]],
    ['#include"a.h"\r\n#include<b.h>\r\n', ["a.h", "b.h"]],
    ['\uFEFF#include "a.h"', ["a.h"]],
    ['%:include "a.h"', ["a.h"]],
    ['#inc\\\nlude \\\r\n "a.h"', ["a.h"]],
    ['#/* x */include/* y */"a.h"', ["a.h"]],
    ['# /*\n*/ include "a.h"', ["a.h"]],
    ['/* one */ #include "a.h"', ["a.h"]],
    ['/* one\n */ #include "a.h"', ["a.h"]],
    ["#include <sub//dir.h>", ["sub//dir.h"]],
    ['char c = \'"\'; // "\n#include "a.h"', ["a.h"]],
    ["#error don't /* it's */\n#include <a.h>", ["a.h"]],
    ['#if 0\n#include "a.h"\n#endif', ["a.h"]],
  ])("are found in %j", (source, names) => {
    const scan = scanDirectives(source);
    expect("includes" in scan && scan.includes.map((include) => include.name)).toEqual(names);
  });

  test.each([
    "kernel void f() {}",
    '// #include "a.h"',
    '/*\n#include "a.h"\n*/',
    '// joined \\\n#include "a.h"',
    'constant char *s = "#include <a.h>";',
    'constant char *s = "\\\n#include <a.h>";',
    "int include;\nx = y # include_count;",
    "int includes = a /* __DATE__ */;",
    "#includes <a.h>",
  ])("are not found in %j", (source) => {
    expect(scanDirectives(source)).toEqual({ includes: [] });
  });

  test.each([
    "#define H <a.h>\n#include H",
    "#include_next <a.h>",
    "#import <a.h>",
    '#if __has_include("a.h")\n#endif',
    "constant char *built = __TIME__;",
    "constant char *built = __DATE__;",
    "??=include <a.h>",
    "#include",
  ])("that cannot be followed make %j uncacheable", (source) => {
    expect(scanDirectives(source)).toEqual({ uncacheable: sentenceWith("") });
  });

  test("are found between arbitrary other lines", () => {
    const line = fc.constantFrom("int a;", "// it's", "/* don't */", 's = "/*";', "c = '\"';", "", "#define X \\", "x");
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (before, after) => {
        const text = [...before, "int end;", '#include "needle.h"', ...after].join("\n");
        const scan = scanDirectives(text);
        expect("includes" in scan && scan.includes).toEqual([{ name: "needle.h", quoted: true }]);
      }),
    );
  });
});

describe("build options", () => {
  test("are parsed from one word, two words, and quotes", () => {
    const options = normalizeOptions(["-Ia", "-I", "b", " -I c ", '-I"d e"', "", "-D", "X=1", '-D"Y=2"', "-I", "'f'"]);
    expect(options).toEqual(["-Ia", "-Ib", "-Ic", '-I"d e"', "-DX=1", '-D"Y=2"', "-I'f'"]);
    expect(includeDirectories(options)).toEqual(["a", "b", "c", "d e", "f"]);
  });

  test.each(["-include", "--include=x.h", "-isystem", "@file", "-save-temps", "-I-", "-Ia -Ib", "-cl-std=CL1.2 -Ia"])(
    "%s is untraceable",
    (option) => {
      expect(untraceableOption(normalizeOptions(["-w", option]))).toBe(option);
    },
  );

  test.each(["-Ia b", '-DTEXT="a -b"', "-cl-fast-relaxed-math", "-cl-std=CL2.0", "-g", "-Werror"])(
    "%s is traceable",
    (option) => {
      expect(untraceableOption(normalizeOptions([option]))).toBeUndefined();
    },
  );
});

describe("include dependencies", () => {
  test("are found through headers: next to the includer, in the working directory and on the include path", () => {
    const base = scratchDirectory();
    writeText(path.join(base, "cwd", "a.h"), '#include "sub/b.h"\n');
    writeText(path.join(base, "cwd", "sub", "b.h"), '#include "c.h"\n#include <d.h>\n');
    writeText(path.join(base, "cwd", "sub", "c.h"), "int c;\n");
    writeText(path.join(base, "lib", "d.h"), "int d;\n");
    const scan = scanned(base, '#include "a.h"', ["../lib"]);
    const present = scan.filter((dependency) => dependency.sha256 !== null);
    expect(present.map((dependency) => fs.realpathSync(dependency.path)).sort()).toEqual(
      ["cwd/a.h", "cwd/sub/b.h", "cwd/sub/c.h", "lib/d.h"].map((name) => path.join(base, name)),
    );
  });

  test("contain the missing paths at which a new header would take precedence", async () => {
    const base = scratchDirectory();
    writeText(path.join(base, "late", "a.h"), "int late;");
    const scan = scanned(base, "#include <a.h>", [path.join(base, "early"), path.join(base, "late")]);
    expect(await runAsync(areUnchanged(scan))).toBe(true);
    writeText(path.join(base, "early", "a.h"), "int early;");
    expect(await runAsync(areUnchanged(scan))).toBe(false);
    expect(runSync(areUnchanged(scan))).toBe(false);
  });

  test("are compared by content, which detects an edit that keeps size and modification time", () => {
    const base = scratchDirectory();
    const header = path.join(base, "cwd", "a.h");
    writeText(header, "#define N 1");
    const time = new Date(1_700_000_000_000);
    fs.utimesSync(header, time, time);
    const scan = scanned(base, '#include "a.h"', []);
    fs.writeFileSync(header, "#define N 2");
    fs.utimesSync(header, time, time);
    expect(runSync(areUnchanged(scan))).toBe(false);
    fs.writeFileSync(header, "#define N 1");
    expect(runSync(areUnchanged(scan))).toBe(true);
    fs.rmSync(header);
    expect(runSync(areUnchanged(scan))).toBe(false);
  });

  test("terminate for headers that include each other and themselves through ever longer paths", () => {
    const base = scratchDirectory();
    writeText(path.join(base, "cwd", "x", "a.h"), '#include "../x/a.h"\n#include "../x/b.h"\n');
    writeText(path.join(base, "cwd", "x", "b.h"), '#include "../x/a.h"\n#include "../x/b.h"\n');
    expect(scanned(base, '#include "x/a.h"', []).length).toBeLessThan(20);
  });

  test("are followed from in-memory headers, which may include each other", () => {
    const base = scratchDirectory();
    writeText(path.join(base, "cwd", "disk.h"), "int d;");
    const scan = scanned(
      base,
      '#include "lib/one.h"',
      [],
      [
        ["lib/one.h", '#include "two.h"'],
        ["lib/two.h", '#include "disk.h"\n#include "one.h"'],
      ],
    );
    expect(scan.filter((dependency) => dependency.sha256 !== null).map((dependency) => dependency.path)).toEqual([
      path.join(base, "cwd", "disk.h"),
    ]);
  });

  test("that are not regular files make a program uncacheable, without reading them", () => {
    const scan = runSync(scanIncludes({ ...nothing, source: '#include "/dev/zero"', workingDirectory: "/" }));
    expect(scan).toEqual({ uncacheable: sentenceWith("not a regular file") });
  });

  test("make a program uncacheable if one of them has an include that cannot be followed", () => {
    const base = scratchDirectory();
    writeText(path.join(base, "a.h"), "#include WHICH");
    const scan = runSync(scanIncludes({ ...nothing, source: '#include "a.h"', workingDirectory: base }));
    expect(scan).toEqual({ uncacheable: sentenceWith("computed") });
  });
});

const nothing = { headers: [], directories: [] } as const;

function scanned(
  base: string,
  source: string,
  directories: readonly string[],
  headers: readonly (readonly [string, string])[] = [],
): Extract<IncludeScan, { dependencies: unknown }>["dependencies"] {
  const workingDirectory = path.join(base, "cwd");
  const scan = runSync(scanIncludes({ source, headers, directories, workingDirectory }));
  if ("uncacheable" in scan) throw new Error(scan.uncacheable);
  return scan.dependencies;
}
