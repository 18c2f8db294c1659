/**
 * What went wrong, in one line.
 * @param {unknown} problem whatever was thrown
 * @returns {string}
 */
export function messageOf(problem) {
  return (problem instanceof Error ? problem.message : String(problem)).replaceAll("\n", " ");
}
