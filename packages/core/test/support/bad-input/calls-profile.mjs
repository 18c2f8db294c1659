/** Calls of command statistics and traces; see calls-objects.mjs. */
import { CommandStatistics } from "@cl/core";

const label = ["empty string", "x", "NUL"];
const nothing = (on) => ({ on, args: () => [], names: [] });
const onStatistics = { on: (e) => e.statistics };
const onTrace = { on: (e) => e.trace };
const bytes = ["0", "2**31"];
/** A kernel's statistics; undefined removes them. */
const foreign = { statistics: ["foreign"], observer: ["foreign"] };
const ofKernel = { args: (e) => [e.statistics], names: ["statistics?"], legal: foreign };
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
    args: () => [{ label: "name", bytes: 64 }],
    names: ["options?"],
    legal: { options: ["{}"], "options.label": label, "options.bytes": bytes },
  },
  "CommandStatistics#bytes=": { ...onStatistics, args: () => [64], names: ["bytes"], legal: { bytes } },
  "CommandStatistics#add": { ...onStatistics, args: (e) => [e.event], names: ["event"], legal: { event: ["foreign"] } },
  "CommandStatistics#time": {
    ...onStatistics,
    args: (e) => [() => 1, { queue: e.queue }],
    names: ["run", "options?"],
    legal: { run: ["function"], options: ["{}"], "options.queue": ["foreign"] },
  },
  "CommandStatistics#snapshot": nothing(onStatistics.on),
  "CommandStatistics#drain": nothing(onStatistics.on),
  "CommandStatistics#addObserver": { ...onStatistics, args: (e) => [e.observer], names: ["observer"], legal: foreign },
  "CommandStatistics#removeObserver": {
    ...onStatistics,
    args: (e) => [e.observer],
    names: ["observer"],
    legal: foreign,
  },
  "BoundKernel#statistics=": { on: (e) => e.bound, ...ofKernel },
  "KernelObject#statistics=": { on: (e) => e.kernel, ...ofKernel },
  "new CommandTrace": {
    args: () => [{ capacity: 16, label: "name" }],
    names: ["options?"],
    legal: { options: ["{}"], "options.label": label },
  },
  "CommandTrace#watch": {
    ...onTrace,
    args: (e) => [e.statistics, "name"],
    names: ["statistics", "name"],
    legal: { name: label, ...foreign },
  },
  "CommandTrace#unwatch": { ...onTrace, args: (e) => [e.statistics], names: ["statistics"], legal: foreign },
  "CommandTrace#commands": nothing(onTrace.on),
  "CommandTrace#drain": nothing(onTrace.on),
  hostTime: nothing(),
  mergeTimeStatistics: { args: () => [empty(), empty()], names: ["statistics", "statistics"], legal: ofNone },
  "mergeTimeStatistics of what was counted": { args: () => [counted()], names: ["statistics"], legal: ofSome },
  quantile: { args: () => [empty(), 0.5], names: ["statistics", "share"], legal: { ...ofNone, share: ["0"] } },
  "quantile of what was counted": {
    args: () => [counted(), 0.5],
    names: ["statistics", "share"],
    legal: { ...ofSome, share: ["0"] },
  },
  queueNumber: { args: (e) => [e.queue], names: ["queue"], legal: { queue: ["foreign"] } },
  tracedQueue: { args: () => [1], names: ["number"], legal: { number: ["0", "2**31"] } },
};
