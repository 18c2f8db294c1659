/** Builds the fake OpenCL library: objects once for each state of its sources, then one link for each variant. */
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { access, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { entryPoints, entryPointsAfter } from "./entry-points.js";
import type { FakeVersion } from "./entry-points.js";

/** What a variant of the library lacks. */
export interface FakeOptions {
  /** Entry points that cannot be resolved. */
  readonly absent?: readonly string[];
  /** The version that platforms and devices claim; entry points that are newer are absent too. Default: 3.0. */
  readonly version?: FakeVersion;
}

/**
 * Builds the fake OpenCL library where it is not built yet, and returns its path.
 *
 * Safe with many processes at once: everything is written under another name and renamed into place, so that the worst
 * is the same work done twice.
 */
export async function buildFakeOpenCL(options: FakeOptions = {}): Promise<string> {
  const version = options.version ?? "3.0";
  const known = await entryPoints();
  for (const name of options.absent ?? []) {
    if (!known.has(name)) throw new TypeError(`absent: there is no entry point called ${name}`);
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
    // Never unloaded, so that counts outlive the addon that opened it, and the report is written when the process exits.
    const link = ["-shared", "-pthread", "-Wl,-z,nodelete", `-Wl,--version-script=${script}`];
    await compile([...flags, define, ...link, join(folder, "variant.cc"), ...inputs, "-o", target]);
    await rm(script);
  });
  return library;
}

/** Builds a program that is linked to the complete library: the self test's driver. */
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

/** The folder that holds the compiled sources, all but the one that differs between variants. */
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

/** Makes a file or folder under a name of its own and renames it; whoever comes second leaves the first in place. */
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
