/**
 * Runs the documentation and the examples. The `ts` blocks of a page, in their order, are one program: it is type-checked and run, and
 * `console.log(…); // text` must print the text, spaces aside; text that begins with "such as" is not compared.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "node:util";

import * as array from "@cl/array";
import * as characterize from "@cl/characterize";
import * as core from "@cl/core";
import { Context, type Device, DeviceSvmCapabilities, ExternalSemaphoreHandleType } from "@cl/core";
import * as launcher from "@cl/launcher";
import * as tools from "@cl/tools";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { needs } from "@cl/base/testing";

const repository = new URL("../../", import.meta.url);
// In here, so that "@cl/core" is what it is for the tests: the sources, or the installed package.
const folder = new URL("../build/docs-examples/", import.meta.url);
const tsc = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));

interface Page {
  readonly path: string;
  readonly program: string;
  readonly file: URL;
}

const packages = { core, tools, characterize, launcher, array };

/** What the examples in TSDoc comments take for granted, besides all that core and the package export. */
const prelude = `import type { Trace } from "@cl/launcher";
const context = Context.create();
const queue = new CommandQueue(context);
const program = await new Program(context, \`
  __kernel void saxpy(float a, __global const float *x, __global float *y) { y[get_global_id(0)] += a * x[get_global_id(0)]; }
\`).build();
const timestep = await new Program(context, \`
  __kernel void copy_all(__global const float *from, __global float *to) { to[get_global_id(0)] = from[get_global_id(0)]; }
\`).build();
const [advect, diffuse] = [timestep.kernel("copy_all"), new Kernel(timestep, "copy_all")];
const floats = () => DeviceBuffer.empty(context, Float32Array, 64);
const [buffer, u, v, x, y] = [floats(), floats(), floats(), floats(), floats()];
const [sizes, steps] = [{ global: 64 }, 2];
const header = "float twice(float);";
const main = '#include "library.h"\\n__kernel void k(__global float *x) { x[0] = twice(x[0]); }';
const folder = new URL("./", import.meta.url);
const library = "float twice(float x) { return 2 * x; }";
`;
/** For core alone: not every device has fine-grained SVM. */
const svmPrelude = `const allocation = new SvmAllocation(context, 256, { kind: "fine-buffer" });`;

/** Sources whose examples are not run, and why. */
const notRun: Readonly<Record<string, string>> = {
  "command-buffer.ts": "not every device has command buffers; a page of the guide asks before it uses them",
  "semaphore.ts": "it wants a context in another process",
  "program-cache.ts": "it is no export",
  "describe-allocator.ts": "it makes a suite of vitest",
  "describe-devices.ts": "it makes a suite of vitest",
  "test-devices.ts": "it is part of a suite of vitest",
  "test-on.ts": "it makes a test of vitest",
};

const guide = ["README.md", ...readmes(), ...markdown("docs"), ...markdown("examples")];
const pages: readonly Page[] = guide
  .map((path) => ({ path, program: programOf(readFileSync(new URL(path, repository), "utf8")) }))
  .concat(Object.keys(packages).map((name) => ({ path: commentsOf(name), program: commentsProgram(name) })))
  .filter(({ program }) => program !== "")
  .map((page) => ({ ...page, file: new URL(`${page.path.replace(/\W+/g, "-")}.ts`, folder) }));

beforeAll(() => {
  vi.stubEnv("CL_NO_CACHE", "1");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { file, program } of pages) writeFileSync(file, program);
  const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false };
  const project = { extends: "../../tsconfig.test.json", compilerOptions, include: ["./*.ts"], exclude: [] };
  writeFileSync(new URL("tsconfig.json", folder), JSON.stringify(project));
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test("the documentation has examples, and all of them are type-checked", () => {
  expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(["README.md", "docs/getting-started.md"]));
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", fileURLToPath(folder)], { encoding: "utf8" });
  // Whether the sources compile is not asked here.
  expect(stdout.split("\n").filter((line) => line.includes("docs-examples"))).toEqual([]);
}, 240_000);

test("no program in the documentation is left out without a reason", () => {
  const others = ["CONTRIBUTING.md", "packages/cli/README.md", "bench/README.md"];
  const silent = [...guide, ...others].flatMap((path) => {
    const address = new URL(path, repository);
    // The packed packages are tested without these.
    if (!existsSync(address)) return [];
    return leftOut(readFileSync(address, "utf8"), new URL("./", address)).map((line) => `${path}: ${line}`);
  });
  expect(silent).toEqual([]);
});

test("no example of a TSDoc comment is left out without a reason", () => {
  const silent = Object.keys(packages).flatMap((name) =>
    sourcesOf(name)
      .filter(([path]) => !((path.split("/").at(-1) as string) in notRun))
      .filter(([, text]) => [...text.matchAll(/\* @example\b/g)].length !== examplesIn(text).length)
      .map(([path]) => `${name}: ${path}`),
  );
  expect(silent).toEqual([]);
});

/** What some pages show, not every device has. */
const [device] = Context.create().devices as [Device];
const hasFineSvm = (device.svmCapabilities & DeviceSvmCapabilities.FINE_GRAIN_BUFFER) !== 0;
const hasSvm = (device.svmCapabilities & DeviceSvmCapabilities.COARSE_GRAIN_BUFFER) !== 0;
const showsFineSvm = new Set(["docs/memory-and-transfers.md", "docs/shared-virtual-memory.md", commentsOf("core")]);
const exportsSemaphores =
  !device.hasExtension("cl_khr_external_semaphore") ||
  device.semaphoreExportHandleTypesKhr.includes(ExternalSemaphoreHandleType.OPAQUE_FD_KHR);
const showsSemaphores = new Set(["docs/interop-and-extensions.md", commentsOf("core")]);

test.for(pages.map(({ path, file, program }) => [path, file, program] as const))(
  "the examples in %s run and print what they say",
  async ([name, file, program], run) => {
    needs(run, hasFineSvm || !showsFineSvm.has(name), `${name} shows fine-grained SVM, which '${device.name}' has not`);
    needs(
      run,
      exportsSemaphores || !showsSemaphores.has(name),
      `${name} exports a semaphore, which '${device.name}' does not`,
    );
    const print = vi.spyOn(console, "log").mockImplementation(() => undefined);
    try {
      await import(/* @vite-ignore */ file.href);
      const printed = print.mock.calls.map((args: unknown[]) => format(...args));
      const said = [...program.matchAll(/(?:\bconsole\.log\(.*|^ *)\); \/\/ (.+)$/gm)].map(
        ([, text]) => text as string,
      );
      expect(printed).toHaveLength(said.length);
      for (const [i, text] of said.entries()) {
        if (!text.startsWith("such as")) expect(squeeze(printed[i] as string)).toContain(squeeze(text));
      }
    } finally {
      print.mockRestore();
    }
  },
);

// Those that print times or paths, or start threads of their built files, have tests of their own.
const apart = ["gray-scott", "two-devices", "workers"];
const examples = readdirSync(new URL("examples/", repository), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !apart.includes(entry.name))
  .map(({ name }) => name);

/** What the device has not, by the examples that show it. */
const lacks: Readonly<Record<string, string | undefined>> = {
  ...(!device.imageSupport && { sobel: "images", "image-convolution": "images" }),
  ...(!hasSvm && { "svm-linked-list": "shared virtual memory" }),
};

test.for(examples)("the example %s prints what its README says", async (name, run) => {
  const missing = lacks[name];
  needs(run, missing === undefined, `'${device.name}' has no ${missing}, which ${name} shows`);
  const print = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    await import(/* @vite-ignore */ new URL(`examples/${name}/main.ts`, repository).href);
    const readme = readFileSync(new URL(`examples/${name}/README.md`, repository), "utf8");
    for (const args of print.mock.calls as unknown[][]) expect(readme).toContain(`\`${format(...args)}\``);
    expect(print).toHaveBeenCalled();
  } finally {
    print.mockRestore();
  }
});

function squeeze(text: string): string {
  return text.replace(/\s+/g, "");
}

/** The `ts` blocks of a page as one module, which has each import once. */
function programOf(page: string): string {
  const blocks = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code as string);
  const imports = new Set<string>();
  const code = blocks.map((block) =>
    block.replace(/^import [^;]*;\n/gm, (statement) => {
      imports.add(statement);
      return "";
    }),
  );
  return code.length === 0 ? "" : [...imports, ...code, "export {};\n"].join("\n");
}

function readmes(): string[] {
  return Object.keys(packages).map((name) => `packages/${name}/README.md`);
}

function commentsOf(name: string): string {
  return `the TSDoc comments of ${name}`;
}

/** The examples of all TSDoc comments, each in a scope of its own; none where only the built package is there. */
function commentsProgram(name: string): string {
  // By the files' own names: which folder a file is in must not decide whose example runs first.
  const sorted = sourcesOf(name).toSorted(([a], [b]) => basename(a).localeCompare(basename(b)));
  const examples = sorted.flatMap(([path, text]) => examplesIn(text).map((code) => `// ${path}\n{\n${code}}\n`));
  if (examples.length === 0) return "";
  const imports = [...new Set(["core", name])].map((from) => {
    const names = Object.keys(packages[from as keyof typeof packages]);
    return `import { ${names.join(", ")} } from "@cl/${from}";`;
  });
  const preludes = name === "core" ? [prelude, svmPrelude] : [prelude];
  return [...imports, ...preludes, ...examples].join("\n");
}

/** The sources of a package, as pairs of a path and a text; none where only the built package is there. */
function sourcesOf(name: string): [path: string, text: string][] {
  const sources = new URL(`packages/${name}/src/`, repository);
  if (!existsSync(sources)) return [];
  return readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => [path.replaceAll("\\", "/"), readFileSync(new URL(path, sources), "utf8")]);
}

/** The examples of a source's comments; a title may stand behind `@example`. */
function examplesIn(text: string): string[] {
  return [...text.matchAll(/\* @example\b.*\n *\* ```ts\n([^]*?)^ *\* ```$/gm)].map(([, code = ""]) =>
    code.replace(/^ *\* ?/gm, ""),
  );
}

/** The first lines of a page's blocks that look like programs, are not run, and say neither why nor of what they are a part. */
function leftOut(page: string, folder: URL): string[] {
  const block = /(?:<!-- not run: (.+) -->\n\n)?^([ >]*)(`{3,}|~{3,})(.*)\n([^]*?)^[ >]*\3$/gm;
  return [...page.matchAll(block)].flatMap(([, reason, indent, marks, language = "", code = ""]) => {
    const runs = indent === "" && marks === "```" && language === "ts";
    const isProgram = /^\s*(?:[cm]?[tj]sx?|typescript|javascript)\b/i.test(language);
    if (runs || !isProgram) return [];
    const part = reason === undefined ? undefined : /^a part of (\S+)$/.exec(reason)?.[1];
    const stands = part === undefined || squeeze(readFileSync(new URL(part, folder), "utf8")).includes(squeeze(code));
    return reason !== undefined && stands ? [] : [`${language}: ${code.split("\n", 1)[0]}`];
  });
}

function markdown(path: string): string[] {
  const at = new URL(`${path}/`, repository);
  if (!existsSync(at)) return [];
  return readdirSync(at, { recursive: true, encoding: "utf8" })
    .filter((name) => basename(name).endsWith(".md") && !/node_modules|^build/.test(name))
    .map((name) => `${path}/${name.replaceAll("\\", "/")}`)
    .toSorted();
}
