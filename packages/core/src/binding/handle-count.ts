/** How many OpenCL objects this environment holds; for finding leaks. */
import { handleKinds, native } from "./native.js";

/** Live objects by kind. Platforms and devices are listed once they have been asked for and stay. */
export function handleCounts(): Readonly<Record<string, number>> {
  const counts = native.handleCounts();
  const named = handleKinds.map((kind, i): [string, number] => [kind, counts[i] ?? 0]);
  return Object.fromEntries(named.filter(([kind]) => kind !== "none"));
}

/**
 * Live objects that somebody must release, in all: everything but platforms and devices, and statistics and traces, which
 * hold nothing of the driver's.
 */
export function handleCount(): number {
  const { platform, device, statistics, trace, ...owned } = handleCounts();
  void [platform, device, statistics, trace];
  return Object.values(owned).reduce((sum, count) => sum + count, 0);
}
