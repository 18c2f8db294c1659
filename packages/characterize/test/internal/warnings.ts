/** Catches what is published. */
import { CharacterizationWarning } from "@cl/characterize";
import { vi } from "vitest";

/** The warnings that a function publishes. Node hands them to listeners later, so the publishing itself is watched. */
export function warningsOf(run: () => void): readonly CharacterizationWarning[] {
  const warnings: CharacterizationWarning[] = [];
  const spy = vi.spyOn(process, "emitWarning").mockImplementation((warning: unknown) => {
    if (!(warning instanceof CharacterizationWarning)) throw new TypeError(`not a warning of ours: ${String(warning)}`);
    warnings.push(warning);
  });
  try {
    run();
  } finally {
    spy.mockRestore();
  }
  return warnings;
}
