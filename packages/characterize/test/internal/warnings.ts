/** Captures published warnings. */
import { CharacterizationWarning } from "@cl/characterize";
import { vi } from "vitest";

/** Returns the warnings that a function publishes. Spies on the publishing, because Node notifies listeners later. */
export function warningsOf(run: () => void): readonly CharacterizationWarning[] {
  const warnings: CharacterizationWarning[] = [];
  const spy = vi.spyOn(process, "emitWarning").mockImplementation((warning: unknown) => {
    if (!(warning instanceof CharacterizationWarning)) throw new TypeError(`unexpected warning: ${String(warning)}`);
    warnings.push(warning);
  });
  try {
    run();
  } finally {
    spy.mockRestore();
  }
  return warnings;
}
