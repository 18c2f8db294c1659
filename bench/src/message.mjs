/**
 * Returns an error's message in one line.
 * @param {unknown} problem the thrown value
 * @returns {string}
 */
export function messageOf(problem) {
  return (problem instanceof Error ? problem.message : String(problem)).replaceAll("\n", " ");
}
