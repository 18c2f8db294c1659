/** Finds out the C library of a Linux system. */
import { readFileSync } from "node:fs";

/** Returns whether the C library is musl: usually from the text of `ldd`, which takes a hundredth of the time of a report. */
export function usesMusl(): boolean {
  try {
    const text = readFileSync("/usr/bin/ldd", "latin1");
    if (text.includes("musl")) return true;
    if (text.includes("GNU")) return false;
  } catch {
    // Some systems have no ldd, or elsewhere.
  }
  return glibcVersion() === undefined;
}

/** Returns the version of glibc; `undefined` for another C library. Takes tens of milliseconds. */
export function glibcVersion(): string | undefined {
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork?: boolean };
  const before = report.excludeNetwork ?? false;
  // Otherwise a report resolves the names of all open sockets, which can take a minute.
  report.excludeNetwork = true;
  try {
    const { header } = report.getReport() as { readonly header?: { readonly glibcVersionRuntime?: string } };
    return header?.glibcVersionRuntime;
  } finally {
    report.excludeNetwork = before;
  }
}
