// The changelogs' lines. All packages are released together: a line "Updated dependencies" for every change of every other
// package, as the usual writer has it, would bury what happened to this one.

/** A changeset's text, behind the commit that it came with. */
export async function getReleaseLine({ commit, summary }) {
  const hash = commit ? `${commit.slice(0, 7)}: ` : "";
  return `- ${hash}${summary.trim().replaceAll(/\n(?=[^\n])/gu, "\n  ")}`;
}

/** One line, whatever made the dependencies new. */
export async function getDependencyReleaseLine(_changesets, dependencies) {
  if (dependencies.length === 0) return "";
  return `- Updated dependencies: ${dependencies.map(({ name, newVersion }) => `${name}@${newVersion}`).join(", ")}`;
}
