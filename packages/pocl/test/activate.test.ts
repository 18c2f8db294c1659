/** `import "@cl/pocl"` in a folder where it is installed with a fake library, and the errors of systems that it cannot use. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildFakeOpenCL } from "@cl/testing/fake-opencl/build";
import { type InstalledPocl, installPocl, isSupported } from "@cl/testing/installed-pocl";
import { lastResult, runModule } from "@cl/testing/run-module";

let system: string;
let installed: InstalledPocl;

beforeAll(async () => {
  system = await buildFakeOpenCL();
  installed = await installPocl(import.meta.url, ["@cl/core"]);
}, 600_000);
afterAll(() => installed[Symbol.dispose]());

type Changes = Readonly<Record<string, string | undefined>>;

/** Runs a module in the folder with the packages. */
async function run(source: string, env: Changes = {}): Promise<unknown> {
  const cache = mkdtempSync(join(installed.root, "cache-"));
  return lastResult(
    await runModule({
      source,
      from: pathToFileURL(`${installed.root}/`),
      // pnpm sets NODE_PATH, where the package of the workspace is found.
      env: {
        NODE_PATH: undefined,
        CL_LIBRARY_PATH: system,
        CL_POCL: undefined,
        POCL_CACHE_DIR: undefined,
        CL_CACHE_DIR: cache,
        ...env,
      },
    }),
  );
}

const listing = `
  import { getPlatforms } from "@cl/core";
  console.log(JSON.stringify(getPlatforms().map(({ runtime }) => runtime)));`;

/** Returns the message of the error that importing the package throws, after `before` was run on the loaded addon. */
async function importError(env: Changes = {}, before = ""): Promise<string> {
  const source = `
    const { NoRuntimeError } = await import("@cl/core");
    ${before}
    const error = await import("@cl/pocl").then(() => undefined, (error) => error);
    console.log(JSON.stringify({ ours: error instanceof NoRuntimeError, message: String(error?.message) }));`;
  const { ours, message } = (await run(source, env)) as { readonly ours: boolean; readonly message: string };
  expect(ours, message).toBe(true);
  return message;
}

/** Source that makes the process look like one on another system. */
const on = (platform: string, arch: string): string =>
  `Object.defineProperties(process, ${JSON.stringify({ platform: { value: platform }, arch: { value: arch } })});`;
const withGlibc = (version: string | undefined): string =>
  `process.report.getReport = () => (${JSON.stringify({ header: { glibcVersionRuntime: version } })});`;

describe.runIf(isSupported)('import "@cl/pocl"', () => {
  test("adds a platform after the system's", async () => {
    expect(await run(`import "@cl/pocl";${listing}`)).toEqual([
      { name: "system", path: system },
      { name: "@cl/pocl", path: installed.library },
    ]);
  });

  test("adds the platform in every thread, also if only a worker imports it", async () => {
    const worker = `
      import { parentPort } from "node:worker_threads";
      await import(process.env.IMPORTS);
      const { getPlatforms } = await import("@cl/core");
      parentPort.postMessage(getPlatforms().length);`;
    const source = `
      import { Worker } from "node:worker_threads";
      import { getPlatforms } from "@cl/core";
      const counts = [getPlatforms().length];
      for (const IMPORTS of ["@cl/pocl", "@cl/core"]) {
        const thread = new Worker(${JSON.stringify(worker)}, { eval: true, type: "module", env: { ...process.env, IMPORTS } });
        counts.push(await new Promise((resolve, reject) => thread.on("message", resolve).on("error", reject)));
        counts.push(getPlatforms().length);
      }
      console.log(JSON.stringify(counts));`;
    expect(await run(source)).toEqual([1, 2, 2, 2, 2]);
  });

  test("does nothing if CL_POCL is 0", async () => {
    expect(await run(`import "@cl/pocl";${listing}`, { CL_POCL: "0" })).toEqual([{ name: "system", path: system }]);
  });

  test("creates a private cache folder, unless POCL_CACHE_DIR names one", async () => {
    const base = join(installed.root, "caches");
    const list = `import "@cl/pocl";${listing}`;
    await run(list, { CL_CACHE_DIR: base, POCL_CACHE_DIR: join(installed.root, "own") });
    expect(existsSync(base)).toBe(false);
    await run(list, { CL_CACHE_DIR: base });
    expect(statSync(join(base, "pocl")).mode & 0o777).toBe(0o700);
  });

  test("throws if no cache folder can be private", async () => {
    const shared = join(installed.root, "shared");
    mkdirSync(join(shared, "pocl"), { recursive: true });
    chmodSync(join(shared, "pocl"), 0o777);
    expect(await importError({ CL_CACHE_DIR: shared })).toMatch(/can be written to by others.*Set CL_CACHE_DIR/s);
    const none = { CL_CACHE_DIR: undefined, XDG_CACHE_HOME: undefined, HOME: undefined };
    expect(await importError(none)).toMatch(/neither CL_CACHE_DIR nor HOME is set/);
    expect(await importError({ CL_CACHE_DIR: "/proc/nothing" })).toMatch(/no folder for compiled kernels/);
  });

  test("throws on another platform", async () => {
    expect(await importError({}, on("darwin", "arm64"))).toBe(
      "@cl/pocl does not support darwin-arm64, only linux-x64 and linux-arm64. Import it only there, or set CL_POCL=0.",
    );
  });

  test("uses the package of the processor", async () => {
    const other = process.arch === "x64" ? "arm64" : "x64";
    expect(await importError({}, on("linux", other))).toContain(`@cl/pocl-linux-${other} is not installed. `);
  });

  describe("with missing files", () => {
    /** Returns the import's error while a path is renamed. */
    async function errorWithout(path: string, before?: string): Promise<string> {
      const hidden = join(installed.root, "hidden");
      renameSync(path, hidden);
      try {
        return await importError({}, before);
      } finally {
        renameSync(hidden, path);
      }
    }

    test("throws if the platform's package or a part of it is not installed", async () => {
      expect(await errorWithout(installed.platformFolder)).toContain("is not installed. Install @cl/pocl again");
      expect(await errorWithout(installed.library)).toContain(
        `is incomplete: reinstall it, or in a clone of the repository build it with node scripts/build-pocl.mjs. Missing:\n  - ${installed.library}`,
      );
      const kernels = join(installed.platformFolder, "share/pocl");
      expect(await errorWithout(kernels)).toContain(`Missing:\n  - ${kernels}`);
    });

    test("names the C library if npm did not install the package for it", async () => {
      expect(await errorWithout(installed.platformFolder, withGlibc(undefined))).toMatch(
        /requires glibc 2\.34 or newer, but this system has another C library, such as musl/,
      );
    });
  });

  test("throws with the reason if the library cannot be opened", async () => {
    const kept = `${installed.library}.kept`;
    renameSync(installed.library, kept);
    writeFileSync(installed.library, "broken");
    try {
      expect(await importError()).toContain(`the runtime ${installed.library} could not be opened: `);
      expect(await importError({}, withGlibc("2.31"))).toContain("but this system has glibc 2.31");
    } finally {
      renameSync(kept, installed.library);
    }
  });
});
