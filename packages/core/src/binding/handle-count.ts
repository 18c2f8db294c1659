/** The number of live OpenCL objects of this thread, for finding leaks. */
import { handleKinds, native } from "./native.js";

/** Returns the number of live objects of each kind. Platforms and devices stay alive once they have been queried. */
export function handleCounts(): Readonly<Record<string, number>> {
  const counts = native.handleCounts();
  const named = handleKinds.map((kind, i): [string, number] => [kind, counts[i] ?? 0]);
  return Object.fromEntries(named.filter(([kind]) => kind !== "none"));
}

/**
 * Returns the number of live objects that must be released. This excludes platforms and devices, and statistics and
 * traces, which hold no driver resources.
 */
export function handleCount(): number {
  const { platform, device, statistics, trace, ...owned } = handleCounts();
  void [platform, device, statistics, trace];
  return Object.values(owned).reduce((sum, count) => sum + count, 0);
}
