/** What is said of files that are not what they should be. */

/** An error about a file's contents, with a code of its own. */
export function badFile(name: string, sentence: string, cause?: unknown): Error {
  const error = new Error(`${name} ${sentence}`, cause === undefined ? {} : { cause });
  return Object.assign(error, { code: "ERR_BAD_FILE" });
}
