/** OpenCL libraries that are loaded in addition to the system's. */
import { checkCString, checkObject, checkOptions, typeError } from "@cl/base";
import { isAbsolute } from "node:path";

import { native } from "../binding/native.js";

/** An OpenCL library. */
export interface Runtime {
  /** `"system"`, or the name given to {@link addRuntime}. */
  readonly name: string;
  /** The path or file name that was opened. */
  readonly path: string;
}

/** Options of {@link addRuntime}. */
export interface RuntimeOptions {
  /**
   * The name that `platform.runtime` shows and that device selectors match.
   *
   * @defaultValue the path
   */
  readonly name?: string;
  /**
   * Environment variables with the driver's settings, such as its cache folder. Those that are unset or empty are set
   * while the driver finds its devices, and only then.
   */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Opens an OpenCL library in addition to the system's. {@link getPlatforms} lists its platforms after those of the
 * system, in every thread, from the next call on. Without an OpenCL library of the system, they are the only ones.
 *
 * The library must export the functions of OpenCL, as loaders and many drivers do. It stays loaded until the process
 * ends. Adding a library again does nothing.
 *
 * @example
 * ```typescript
 * addRuntime("/opt/pocl/lib/libpocl.so", { name: "my PoCL" });
 * const context = Context.create("my PoCL"); // its first device
 * ```
 *
 * @param path - Absolute path of the library.
 * @throws {@link NoRuntimeError} if the library cannot be opened or has no OpenCL functions.
 */
export function addRuntime(path: string, options?: RuntimeOptions): void {
  if (!isAbsolute(checkCString(path, "path"))) throw typeError("path", "an absolute path", path);
  const { name = path, environment } = checkOptions(options, ["name", "environment"]);
  if (checkCString(name, "options.name") === "" || name === "system") {
    throw typeError("options.name", 'a name other than "system", which the system\'s library has', name);
  }
  const variables = Object.entries(checkObject(environment, "options.environment"));
  for (const [variable, value] of variables) {
    if (!/^[^=\0]+$/.test(variable)) {
      throw typeError("options.environment", 'an object with names without "="', variable);
    }
    checkCString(value, `options.environment.${variable}`);
  }
  native.addRuntime(path, name, variables.flat());
}
