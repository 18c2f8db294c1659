/** A reporter that lists at the end of a run what was left out and why, so that a skip is seen. */
import type { Reporter, TestModule } from "vitest/node";

/** For `test.reporters`, beside the others. */
export class SkipSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        const result = test.result();
        const why = (result.state === "skipped" && result.note) || `no reason given (${test.fullName})`;
        counts.set(why, (counts.get(why) ?? 0) + 1);
      }
    }
    if (counts.size === 0) return;
    const lines = [...counts].toSorted(([, a], [, b]) => b - a).map(([why, count]) => `  ${count} × ${why}\n`);
    const all = [...counts.values()].reduce((sum, count) => sum + count);
    process.stdout.write(`\n ${all} ${all === 1 ? "test was" : "tests were"} left out:\n${lines.join("")}`);
  }
}
