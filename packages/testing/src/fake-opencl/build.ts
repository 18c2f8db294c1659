/** Builds the fake OpenCL library: compiles once per version of its sources, then links once per variant. */
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { access, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { until } from "@cl/base/testing";
import { entryPoints, entryPointsAfter } from "./entry-points.js";
import type { FakeVersion } from "./entry-points.js";

/** Options of a library variant. */
export interface FakeOptions {
  /** Entry points that cannot be resolved. @defaultValue none */
  readonly absent?: readonly string[];
  /** OpenCL version of platforms and devices; newer entry points are absent, too. @defaultValue `"3.0"` */
  readonly version?: FakeVersion;
}

/** Builds the fake OpenCL library unless it is already built, and returns its path. */
export async function buildFakeOpenCL(options: FakeOptions = {}): Promise<string> {
  const version = options.version ?? "3.0";
  const entryPointVersions = await entryPoints();
  for (const name of options.absent ?? []) {
    if (!entryPointVersions.has(name)) {
      throw new TypeError(`options.absent must contain entry points, received ${name}`);
    }
  }
  const absent = [...new Set([...(options.absent ?? []), ...(await entryPointsAfter(version))])].sort();
  const object = await buildObject();
  const library = object.replace(/\.o$/u, `-${version}-${digest(absent.join(" "))}.so`);
  await once(library, async (target) => {
    const script = `${target}.map`;
    await writeFile(script, `{ global: cl*; fake_*; local: ${absent.map((name) => `${name}; `).join("")}*; };\n`);
    const define = `-DFAKE_CL_VERSION=${version.replace(".", "")}0`;
    // Never unloaded, so that the counters outlive the addon and the report is written when the process exits.
    const link = ["-shared", "-pthread", "-Wl,-z,nodelete", `-Wl,--version-script=${script}`];
    await compile([...flags, define, ...link, join(folder, "variant.cc"), object, "-o", target]);
    await rm(script);
  });
  return library;
}

/** Builds a program that is linked to the complete library, for the library's own test. */
export async function buildWithFake(source: string): Promise<string> {
  const library = await buildFakeOpenCL();
  const program = `${library}.${digest(await readFile(source, "utf8"))}`;
  await once(program, (target) => compile([...flags, source, library, "-ldl", "-pthread", "-o", target]));
  return program;
}

const folder = fileURLToPath(new URL(".", import.meta.url));
const cache = fileURLToPath(new URL("../../node_modules/.cache/fake-opencl/", import.meta.url));
const compiler = process.env["CXX"] ?? "g++";
const flags = ["-std=c++20", "-O1", "-fPIC", "-Wall", "-Wextra", "-Werror", "-Wno-deprecated-declarations"];
const run = promisify(execFile);

async function compile(args: readonly string[]): Promise<void> {
  await run(compiler, args);
}

/** Returns the object file of all sources except the one that differs between variants. */
async function buildObject(): Promise<string> {
  const files = (await readdir(folder)).filter((name) => /\.(?:cc|h)$/u.test(name)).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  const object = join(cache, `${digest([compiler, ...flags, ...files, ...texts].join("\0"))}.o`);
  await once(object, async (target) => {
    // As one file, they compile in a quarter of the time.
    const sources = files.filter((name) => name.endsWith(".cc") && name !== "variant.cc");
    const unit = `${target}.cc`;
    await writeFile(unit, sources.map((name) => `#include "${join(folder, name)}"\n`).join(""));
    await compile([...flags, "-Wno-subobject-linkage", "-c", unit, "-o", target]);
    await rm(unit);
  });
  return object;
}

/**
 * Makes a file unless it exists, under a temporary name that it is renamed from. If another process is making it, waits for
 * that one, which has a lock file with its process id.
 */
async function once(path: string, make: (target: string) => Promise<void>): Promise<void> {
  await mkdir(cache, { recursive: true });
  const lock = `${path}.lock`;
  while (!(await exists(path))) {
    try {
      await writeFile(lock, String(process.pid), { flag: "wx" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      await until(async () => !(await exists(lock)) || !(await isRunning(lock)), 10 * 60_000);
      continue;
    }
    const target = `${path}.${randomUUID()}`;
    try {
      await make(target);
      await rename(target, path);
    } finally {
      await rm(target, { force: true });
      await rm(lock, { force: true });
    }
  }
}

/** Whether the process that has the lock runs. If it was killed, removes the lock. */
async function isRunning(lock: string): Promise<boolean> {
  try {
    process.kill(Number(await readFile(lock, "utf8")), 0);
    return true;
  } catch {
    await rm(lock, { force: true });
    return false;
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
