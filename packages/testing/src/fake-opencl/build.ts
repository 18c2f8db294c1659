/** Builds the fake OpenCL library: compiles once per version of its sources, then links once per variant. */
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { access, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { entryPoints, entryPointsAfter } from "./entry-points.js";
import type { FakeVersion } from "./entry-points.js";

/** Options of a library variant. */
export interface FakeOptions {
  /** Entry points that cannot be resolved. @defaultValue none */
  readonly absent?: readonly string[];
  /** OpenCL version of platforms and devices; newer entry points are absent, too. @defaultValue `"3.0"` */
  readonly version?: FakeVersion;
}

/**
 * Builds the fake OpenCL library unless it is already built, and returns its path.
 *
 * Safe for concurrent processes: everything is written under a temporary name and renamed, so at worst the same work is
 * done twice.
 */
export async function buildFakeOpenCL(options: FakeOptions = {}): Promise<string> {
  const version = options.version ?? "3.0";
  const entryPointVersions = await entryPoints();
  for (const name of options.absent ?? []) {
    if (!entryPointVersions.has(name)) {
      throw new TypeError(`options.absent must contain entry points, received ${name}`);
    }
  }
  const absent = [...new Set([...(options.absent ?? []), ...(await entryPointsAfter(version))])].sort();
  const objects = await buildObjects();
  const library = join(objects, `libfake-${version}-${digest(absent.join(" "))}.so`);
  if (await exists(library)) return library;
  await intoPlace(library, async (target) => {
    const script = `${target}.map`;
    await writeFile(script, `{ global: cl*; fake_*; local: ${absent.map((name) => `${name}; `).join("")}*; };\n`);
    const define = `-DFAKE_CL_VERSION=${version.replace(".", "")}0`;
    const inputs = (await readdir(objects)).filter((name) => name.endsWith(".o")).map((name) => join(objects, name));
    // Never unloaded, so that the counters outlive the addon and the report is written when the process exits.
    const link = ["-shared", "-pthread", "-Wl,-z,nodelete", `-Wl,--version-script=${script}`];
    await compile([...flags, define, ...link, join(folder, "variant.cc"), ...inputs, "-o", target]);
    await rm(script);
  });
  return library;
}

/** Builds a program that is linked to the complete library, for the library's own test. */
export async function buildWithFake(source: string): Promise<string> {
  const library = await buildFakeOpenCL();
  const program = `${library}.${digest(await readFile(source, "utf8"))}`;
  if (!(await exists(program))) {
    await intoPlace(program, (target) => compile([...flags, source, library, "-ldl", "-pthread", "-o", target]));
  }
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

/** Returns the folder with the compiled sources, except the file that differs between variants. */
async function buildObjects(): Promise<string> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".cc") || name.endsWith(".h")).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  const objects = join(cache, digest([compiler, ...flags, ...files, ...texts].join("\0")));
  if (await exists(objects)) return objects;
  await intoPlace(objects, async (target) => {
    await mkdir(target);
    const sources = files.filter((name) => name.endsWith(".cc") && name !== "variant.cc");
    const next = async (): Promise<void> => {
      for (let name = sources.pop(); name !== undefined; name = sources.pop()) {
        await compile([...flags, "-c", join(folder, name), "-o", join(target, `${name}.o`)]);
      }
    };
    await Promise.all([next(), next()]);
  });
  return objects;
}

/** Creates a file or folder under a temporary name and renames it. If another process was first, keeps its result. */
async function intoPlace(path: string, make: (target: string) => Promise<void>): Promise<void> {
  await mkdir(cache, { recursive: true });
  const target = `${path}.${randomUUID()}`;
  try {
    await make(target);
    await rename(target, path);
  } catch (error) {
    if (!(await exists(path))) throw error;
  } finally {
    await rm(target, { recursive: true, force: true });
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
