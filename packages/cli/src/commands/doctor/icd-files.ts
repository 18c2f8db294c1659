/** The files by which the OpenCL loader finds drivers: each names a library. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";

/** A driver's file. */
export interface IcdFile {
  readonly path: string;
  /** The library that it names; undefined where it names none. */
  readonly library: string | undefined;
  /** Why it could not be read. */
  readonly error?: string;
}

/** Where drivers are looked for, and what is there. */
export interface IcdFiles {
  /** The folder or file. */
  readonly place: string;
  /** The environment variable that names it; undefined for the usual place. */
  readonly variable: string | undefined;
  readonly files: readonly IcdFile[];
  /** Libraries that OCL_ICD_FILENAMES names besides, which the loader of Khronos reads and ocl-icd does not. */
  readonly named: readonly IcdFile[];
  /** Why the place could not be read. */
  readonly error?: string;
}

/** What the loader will find. Linux only: elsewhere drivers are registered in other ways. */
export function findIcdFiles(env: Readonly<Record<string, string | undefined>>): IcdFiles {
  // The first is that of both loaders today, the second an older one of ocl-icd's.
  const variable = ["OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"].find((name) => env[name]);
  const place = variable === undefined ? "/etc/OpenCL/vendors" : (env[variable] as string);
  const libraries = (env["OCL_ICD_FILENAMES"] ?? "").split(":").filter((name) => name !== "");
  const named = libraries.map((library) => ({ path: library, library }));
  try {
    if (!statSync(place).isDirectory()) return { place, variable, files: [readIcdFile(place)], named };
    const names = readdirSync(place).filter((name) => name.endsWith(".icd"));
    return { place, variable, files: names.sort().map((name) => readIcdFile(join(place, name))), named };
  } catch (error) {
    return { place, variable, files: [], named, error: systemReason(error) };
  }
}

function readIcdFile(path: string): IcdFile {
  if (/\.so(\.|$)/.test(basename(path))) return { path, library: path };
  try {
    const [line = ""] = readFileSync(path, "utf8").split("\n");
    return { path, library: line.trim() === "" ? undefined : line.trim() };
  } catch (error) {
    return { path, library: undefined, error: systemReason(error) };
  }
}

function systemReason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT"
    ? "it does not exist"
    : code === "EACCES"
      ? "this user may not read it"
      : String(code ?? error);
}
