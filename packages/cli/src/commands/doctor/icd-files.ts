/** Finds the .icd files by which the OpenCL loader finds drivers: each names a library. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";

export interface IcdFile {
  readonly path: string;
  /** The library that it names; `undefined` if it names none. */
  readonly library: string | undefined;
  /** Why it could not be read. */
  readonly error?: string;
}

/** The loader's search path and the driver files in it. */
export interface IcdFiles {
  /** The folder or file. */
  readonly searchPath: string;
  /** The environment variable that names it; `undefined` for the default folder. */
  readonly variable: string | undefined;
  readonly files: readonly IcdFile[];
  /** Libraries in OCL_ICD_FILENAMES, which the Khronos loader reads and ocl-icd does not. */
  readonly listed: readonly IcdFile[];
  /** Why `searchPath` could not be read. */
  readonly error?: string;
}

/** Finds what the loader finds. Linux only: other systems register drivers in other ways. */
export function findIcdFiles(env: Readonly<Record<string, string | undefined>>): IcdFiles {
  // Both loaders read the first variable, only older versions of ocl-icd the second.
  const variable = ["OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"].find((name) => env[name]);
  const searchPath = variable === undefined ? "/etc/OpenCL/vendors" : (env[variable] as string);
  const libraries = (env["OCL_ICD_FILENAMES"] ?? "").split(":").filter((name) => name !== "");
  const listed = libraries.map((library) => ({ path: library, library }));
  try {
    if (!statSync(searchPath).isDirectory()) return { searchPath, variable, files: [readIcdFile(searchPath)], listed };
    const names = readdirSync(searchPath).filter((name) => name.endsWith(".icd"));
    return { searchPath, variable, files: names.sort().map((name) => readIcdFile(join(searchPath, name))), listed };
  } catch (error) {
    return { searchPath, variable, files: [], listed, error: systemReason(error) };
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
      ? "you do not have permission to read it"
      : String(code ?? error);
}
