/** Parameters of a list's members, and results of its host steps, which later members take instead. */
import { wrongValue } from "@cl/base";

import type { Member } from "../member.js";
import { ParameterUnion, type ParameterUse } from "../parameters/parameter-union.js";

/** Returns the results of the host steps. */
export function resultsOf(members: readonly Member[]): readonly ParameterUse[] {
  return members.flatMap(({ results }) => results?.uses ?? []);
}

/** Returns the parameters that launches pass. */
export function neededParameters(members: readonly Member[]): readonly ParameterUse[] {
  const results = new Set(resultsOf(members).map(({ name }) => name));
  const uses = members.flatMap((member) => member.uses);
  return results.size === 0 ? uses : uses.filter(({ name }) => !results.has(name));
}

/** Throws if types are incompatible, or if a result has the name of another one or of an earlier parameter. */
export function checkParameters(members: readonly Member[], displayName: string): void {
  const union = new ParameterUnion();
  const results = new Map<string, string>();
  for (const member of members) {
    union.add(member.uses, displayName);
    const own = member.results?.uses ?? [];
    for (const { name, launcher } of own) {
      const other = results.get(name);
      if (other !== undefined) {
        throw wrongValue(`${displayName}: "${other}" and "${launcher}" must not have the same result "${name}"`);
      }
      const use = union.all.get(name);
      if (use !== undefined) {
        const earlier = use.launchers.map((one) => `"${one}"`).join(", ");
        throw wrongValue(
          `${displayName}: the result "${name}" of "${launcher}" must have another name than the parameter of ${earlier}, which does not run after it`,
        );
      }
      results.set(name, launcher);
    }
    union.add(own, displayName);
  }
}
