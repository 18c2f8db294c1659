/**
 * Runs the documentation and the examples. The `ts` blocks of a page form one program, which is type-checked and run.
 * `console.log(…); // text` must print the text, ignoring spaces; text that starts with "such as" is not compared.
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
import * as trace from "@cl/trace";
import * as tools from "@cl/tools";
import { afterAll, beforeAll, expect, test, type TestContext, vi } from "vitest";

import { needs } from "@cl/base/testing";

const repository = new URL("../../", import.meta.url);
// In this folder, so that "@cl/core" resolves as in the tests: to the sources or the installed package.
const folder = new URL("../build/docs-examples/", import.meta.url);
const tsc = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));

interface Page {
  readonly path: string;
  readonly program: string;
  readonly file: URL;
}

/** The pages and examples that a quick run runs. */
const quick = /^README|getting-started|first-kernel|timestep-list/;
/** Pages and examples that build the most kernels; only a full run runs them. */
const slow = /docs\/arrays-|autotuning|cookbook|comments of array|characterize|coming-from-numpy/;
const isQuick = (name: string): boolean => quick.test(name);
const isSlow = (name: string): boolean => slow.test(name);
const isOther = (name: string): boolean => !isQuick(name) && !isSlow(name);

const packages = { core, tools, characterize, trace, launcher, array };

/** Declarations that TSDoc examples may use, in addition to the exports of core and the package. */
const prelude = `import type { Trace } from "@cl/trace";
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
/** Additional declarations for core: not every device has fine-grained SVM. */
const svmPrelude = `const allocation = new SvmAllocation(context, 256, { kind: "fine-buffer" });`;

/** Sources whose examples are not run, with the reason. */
const notRun: Readonly<Record<string, string>> = {
  "command-buffer.ts": "not every device has command buffers; a page of the guide checks first",
  "semaphore.ts": "it needs a context in another process",
  "program-cache.ts": "it is not exported",
  "runtime.ts": "it needs another OpenCL library",
  "describe-allocator.ts": "it defines a vitest suite",
  "describe-devices.ts": "it defines a vitest suite",
  "test-devices.ts": "it is part of a vitest suite",
  "test-on.ts": "it defines a vitest test",
};

const guide = ["README.md", ...readmes(), ...markdown("docs"), ...markdown("examples")];
const pages: readonly Page[] = guide
  .map((path) => ({ path, program: programOf(readFileSync(new URL(path, repository), "utf8")) }))
  .concat(Object.keys(packages).map((name) => ({ path: commentsOf(name), program: commentsProgram(name) })))
  .filter(({ program }) => program !== "")
  .map((page) => ({ ...page, file: new URL(`${page.path.replace(/\W+/g, "-")}.ts`, folder) }));

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { file, program } of pages) writeFileSync(file, program);
  // Checks all pages in one run of the compiler, against the declarations in dist.
  const unused = { noUnusedLocals: false, noUnusedParameters: false };
  const emitted = { composite: false, declarationMap: false, isolatedDeclarations: false, noEmit: true };
  const compilerOptions = { ...unused, ...emitted, types: ["node"] };
  const project = { extends: "../../../tsconfig.base.json", compilerOptions, include: ["./*.ts"] };
  writeFileSync(new URL("tsconfig.json", folder), JSON.stringify(project));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("all examples in the documentation type-check", () => {
  expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(["README.md", "docs/getting-started.md"]));
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", fileURLToPath(folder)], { encoding: "utf8" });
  expect(stdout).toBe("");
}, 240_000);

test("every program in the documentation that is not run has a reason", () => {
  const others = ["CONTRIBUTING.md", "packages/cli/README.md", "packages/mpi/README.md", "bench/README.md"];
  const missing = [...guide, ...others].flatMap((path) => {
    const address = new URL(path, repository);
    // Missing when the packed packages are tested.
    if (!existsSync(address)) return [];
    return unexplained(readFileSync(address, "utf8"), new URL("./", address)).map((line) => `${path}: ${line}`);
  });
  expect(missing).toEqual([]);
});

test("every TSDoc example that is not run has a reason", () => {
  const missing = Object.keys(packages).flatMap((name) =>
    sourcesOf(name)
      .filter(([path]) => !((path.split("/").at(-1) as string) in notRun))
      .filter(([, text]) => [...text.matchAll(/\* @example\b/g)].length !== examplesIn(text).length)
      .map(([path]) => `${name}: ${path}`),
  );
  expect(missing).toEqual([]);
});

// Features that some pages show but not every device has.
const [device] = Context.create().devices as [Device];
const hasFineSvm = (device.svmCapabilities & DeviceSvmCapabilities.FINE_GRAIN_BUFFER) !== 0;
const hasSvm = (device.svmCapabilities & DeviceSvmCapabilities.COARSE_GRAIN_BUFFER) !== 0;
const showsFineSvm = new Set(["docs/memory-and-transfers.md", "docs/shared-virtual-memory.md", commentsOf("core")]);
const exportsSemaphores =
  !device.hasExtension("cl_khr_external_semaphore") ||
  device.semaphoreExportHandleTypesKhr.includes(ExternalSemaphoreHandleType.OPAQUE_FD_KHR);
const showsSemaphores = new Set(["docs/interop-and-extensions.md", commentsOf("core")]);

/** Runs a page's program and compares what it prints. */
async function runPage({ path, file, program }: Page, run: TestContext): Promise<void> {
  needs(run, hasFineSvm || !showsFineSvm.has(path), `'${device.name}' has no fine-grained SVM`);
  needs(run, exportsSemaphores || !showsSemaphores.has(path), `'${device.name}' exports no semaphores`);
  const printed = await printedBy(file);
  const expected = [...program.matchAll(/(?:\bconsole\.log\(.*|^ *)\); \/\/ (.+)$/gm)].map(([, text = ""]) => text);
  expect(printed).toHaveLength(expected.length);
  for (const [i, text] of expected.entries()) {
    if (!text.startsWith("such as")) expect(squeeze(printed[i] as string)).toContain(squeeze(text));
  }
}

/** Imports a program and returns the lines that it prints. */
async function printedBy(file: URL): Promise<readonly string[]> {
  const print = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    await import(/* @vite-ignore */ file.href);
    return print.mock.calls.map((args: unknown[]) => format(...args));
  } finally {
    print.mockRestore();
  }
}

const pagesWhere = (is: (name: string) => boolean): readonly Page[] => pages.filter(({ path }) => is(path));
test.for(pagesWhere(isQuick))("the examples in $path run and print what their comments show", runPage);
test.for(pagesWhere(isOther))("the examples in $path run, too", { tags: "ci" }, runPage);
test.for(pagesWhere(isSlow))("the examples in $path run, too", { tags: "full" }, runPage);

// These print times or paths, start threads of built files or need an MPI, and have separate tests.
const testedSeparately = ["gray-scott", "heat-mpi", "lattice-boltzmann", "two-devices", "workers"];
const examples = readdirSync(new URL("examples/", repository), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !testedSeparately.includes(entry.name))
  .map(({ name }) => name);

/** The feature that the device lacks, by example. */
const lacks: Readonly<Record<string, string | undefined>> = {
  ...(!device.imageSupport && { sobel: "images", "image-convolution": "images" }),
  ...(!hasSvm && { "svm-linked-list": "shared virtual memory" }),
};

/** Runs an example and searches its README for what it prints. */
async function runExample(name: string, run: TestContext): Promise<void> {
  const missing = lacks[name];
  needs(run, missing === undefined, `'${device.name}' has no ${missing}, which ${name} shows`);
  const printed = await printedBy(new URL(`examples/${name}/main.ts`, repository));
  const readme = readFileSync(new URL(`examples/${name}/README.md`, repository), "utf8");
  for (const line of printed) expect(readme).toContain(`\`${line}\``);
  expect(printed).not.toEqual([]);
}

test.for(examples.filter(isQuick))("the example %s prints what its README shows", runExample);
test.for(examples.filter((name) => !isQuick(name)))(
  "the example %s prints what its README shows",
  { tags: "full" },
  runExample,
);

function squeeze(text: string): string {
  return text.replace(/\s+/g, "");
}

/** Returns the `ts` blocks of a page as one module, without duplicate imports. */
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

/** Returns the examples of all TSDoc comments, each in a separate scope. Empty if only the built package exists. */
function commentsProgram(name: string): string {
  // By base name, so that moving a file does not change the order of the examples.
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

/** Returns the path and text of a package's sources. Empty if only the built package exists. */
function sourcesOf(name: string): [path: string, text: string][] {
  const sources = new URL(`packages/${name}/src/`, repository);
  if (!existsSync(sources)) return [];
  return readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => [path.replaceAll("\\", "/"), readFileSync(new URL(path, sources), "utf8")]);
}

/** Returns the examples in a source's comments. A title may follow `@example`. */
function examplesIn(text: string): string[] {
  return [...text.matchAll(/\* @example\b.*\n *\* ```ts\n([^]*?)^ *\* ```$/gm)].map(([, code = ""]) =>
    code.replace(/^ *\* ?/gm, ""),
  );
}

/** Returns the first lines of a page's programs that are not run and give neither a reason nor the file they quote. */
function unexplained(page: string, folder: URL): string[] {
  const block = /(?:<!-- not run: (.+) -->\n\n)?^([ >]*)(`{3,}|~{3,})(.*)\n([^]*?)^[ >]*\3$/gm;
  return [...page.matchAll(block)].flatMap(([, reason, indent, marks, language = "", code = ""]) => {
    const runs = indent === "" && marks === "```" && language === "ts";
    const isProgram = /^\s*(?:[cm]?[tj]sx?|typescript|javascript)\b/i.test(language);
    if (runs || !isProgram) return [];
    const part = reason === undefined ? undefined : /^a part of (\S+)$/.exec(reason)?.[1];
    const isQuote = part === undefined || squeeze(readFileSync(new URL(part, folder), "utf8")).includes(squeeze(code));
    return reason !== undefined && isQuote ? [] : [`${language}: ${code.split("\n", 1)[0]}`];
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
