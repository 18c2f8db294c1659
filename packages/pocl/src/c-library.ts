/** Checks the system's C library, which PoCL's library is linked to. */
import { NoRuntimeError } from "@cl/core";
import { glibcVersion } from "@cl/core/internal";

/** The oldest version of glibc that has all functions that PoCL's library calls. */
const minimum = [2, 34] as const;

/** Returns the error for a system whose C library is not glibc or is too old; otherwise `undefined`. */
export function wrongCLibrary(): NoRuntimeError | undefined {
  const version = glibcVersion();
  const [major = 0, minor = 0] = version?.split(".").map(Number) ?? [];
  if (major > minimum[0] || (major === minimum[0] && minor >= minimum[1])) return undefined;
  const found =
    version === undefined ? "this system has another C library, such as musl" : `this system has glibc ${version}`;
  return new NoRuntimeError(
    `@cl/pocl requires glibc ${minimum.join(".")} or newer, but ${found}. Install the system's PoCL instead, and remove the import or set CL_POCL=0.`,
    [found],
  );
}
