/** Calls of command statistics and traces; see calls-objects.mjs. */
import { CommandStatistics } from "@cl/core";

const label = ["empty string", "x", "NUL"];
const nothing = (on) => ({ on, args: () => [] });
const onStatistics = { on: (e) => e.statistics };
const onTrace = { on: (e) => e.trace };
const bytes = ["0", "2**31"];
/** A kernel's statistics; undefined removes them. */
const foreign = { statistics: ["foreign"], observer: ["foreign"] };
const ofKernel = { args: (e) => ({ "statistics?": e.statistics }), legal: foreign };
const empty = () => new CommandStatistics().snapshot();
/** The statistics of two commands of 10 and 20 ns. */
const counted = () => ({
  ...empty(),
  count: 2,
  total: 30,
  std: 5,
  min: 10,
  max: 20,
  sketch: { relativeError: 0.01, zeros: 0, bins: [116, 150], counts: [1, 1] },
});
const amounts = (legal, ...names) => Object.fromEntries(names.map((name) => [`statistics.${name}`, legal]));
const amount = ["0", "1.5", "2**31", "2**53", "1e300"];
/** Derived fields are not validated, nor is the maximum of an empty list of delays. */
const plain = {
  statistics: ["frozen", "unknown name"],
  ...amounts(amount, "count", "failed", "untimed", "total", "bytes"),
  ...amounts(["any"], "mean", "p50", "p95", "gbPerSecond"),
  ...amounts(["throwing field", "frozen", "unknown name"], "queueDelay", "submitDelay", "sketch"),
};
/** Without commands, these fields have no value. */
const ofNone = { ...plain, ...amounts(["any"], "std", "min", "max"), "statistics.count": ["0"] };
const ofSome = { ...plain, ...amounts(amount, "std", "min", "max") };

export const profileCalls = {
  "new CommandStatistics": {
    args: () => ({ "options?": { label: "name", bytes: 64 } }),
    legal: { "options.bytes": bytes },
  },
  "CommandStatistics#bytes=": { ...onStatistics, args: () => ({ bytes: 64 }), legal: { bytes } },
  "CommandStatistics#add": { ...onStatistics, args: (e) => ({ event: e.event }), legal: { event: ["foreign"] } },
  "CommandStatistics#time": {
    ...onStatistics,
    args: (e) => ({ run: () => 1, "options?": { queue: e.queue } }),
    legal: { run: ["function"], "options.queue": ["foreign"] },
  },
  "CommandStatistics#addObserver": { ...onStatistics, args: (e) => ({ observer: e.observer }), legal: foreign },
  "CommandStatistics#removeObserver": { ...onStatistics, args: (e) => ({ observer: e.observer }), legal: foreign },
  "BoundKernel#statistics=": { on: (e) => e.bound, ...ofKernel },
  "KernelObject#statistics=": { on: (e) => e.kernel, ...ofKernel },
  "new CommandTrace": { args: () => ({ "options?": { capacity: 16, label: "name" } }) },
  "CommandTrace#watch": {
    ...onTrace,
    args: (e) => ({ statistics: e.statistics, name: "name" }),
    legal: { name: label, ...foreign },
  },
  "CommandTrace#unwatch": { ...onTrace, args: (e) => ({ statistics: e.statistics }), legal: foreign },
  hostTime: nothing(),
  mergeTimeStatistics: { args: () => [empty(), empty()], names: ["statistics", "statistics"], legal: ofNone },
  "mergeTimeStatistics of what was counted": { args: () => ({ statistics: counted() }), legal: ofSome },
  quantile: { args: () => ({ statistics: empty(), share: 0.5 }), legal: { ...ofNone, share: ["0"] } },
  "quantile of what was counted": {
    args: () => ({ statistics: counted(), share: 0.5 }),
    legal: { ...ofSome, share: ["0"] },
  },
  queueNumber: { args: (e) => ({ queue: e.queue }), legal: { queue: ["foreign"] } },
  tracedQueue: { args: () => ({ number: 1 }), legal: { number: ["0", "2**31"] } },
};
