/** A Vitest reporter that lists skipped tests and their reasons at the end of a run. */
import type { Reporter, TestModule } from "vitest/node";

/** A reporter of skipped tests for Vitest's `test.reporters`. */
export class SkipSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        const result = test.result();
        const reason = (result.state === "skipped" && result.note) || `no reason given (${test.fullName})`;
        counts.set(reason, (counts.get(reason) ?? 0) + 1);
      }
    }
    if (counts.size === 0) return;
    const lines = [...counts].toSorted(([, a], [, b]) => b - a).map(([reason, count]) => `  ${count} × ${reason}\n`);
    const total = [...counts.values()].reduce((sum, count) => sum + count);
    process.stdout.write(`\n ${total} ${total === 1 ? "test was" : "tests were"} skipped:\n${lines.join("")}`);
  }
}
