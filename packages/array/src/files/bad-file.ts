/** Errors about invalid files. */

/** Returns an error about a file's contents, with its own code. */
export function badFile(name: string, sentence: string, cause?: unknown): Error {
  const error = new Error(`${name} ${sentence}`, cause === undefined ? {} : { cause });
  return Object.assign(error, { code: "ERR_BAD_FILE" });
}
