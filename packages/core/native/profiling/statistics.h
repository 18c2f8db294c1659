// Running statistics of commands: the durations of a million launches in a few hundred bytes.
//
// Durations are accumulated in moments (Welford's algorithm, which avoids cancellation) and in a sketch: a histogram
// whose bins grow by 2 %, so that every quantile has an error of at most 1 %. A driver's four timestamps also give two
// delays: from the enqueue to the submission, and from there to the start.
//
// Lifetime: pending commands (harvest.h) share their statistics, since the JavaScript object may be released or
// collected before they end. Statistics may have observers, which also record every command: a profiler uses an
// observer so that draining it does not affect the kernel's statistics. Observers cannot observe others, so there are
// no cycles. JavaScript thread only.
#pragma once

#include <memory>
#include <vector>

#include "napi/call.h"
#include "profiling/trace.h"

namespace cl {

struct Sizes;

/// A histogram of durations. Bins grow by a constant factor and cover the range of the recorded durations.
class Sketch {
 public:
  void add(uint64_t duration);
  uint64_t zeros() const { return zeros_; }
  /// The index of the first bin.
  int first() const { return first_; }
  const std::vector<uint64_t>& bins() const { return bins_; }

 private:
  uint64_t zeros_ = 0;
  int first_ = 0;
  std::vector<uint64_t> bins_;
};

/// Summary of the delays between two timestamps.
struct DelaySummary {
  uint64_t count = 0;
  uint64_t total = 0;
  uint64_t longest = 0;

  void add(uint64_t from, uint64_t to);
};

/// Statistics of the commands of a kernel, a list's command or an observer.
class Statistics final : public Record, public std::enable_shared_from_this<Statistics> {
 public:
  /// Everything measured since the creation or the last drain.
  struct Values {
    uint64_t count = 0;
    uint64_t failed = 0;
    uint64_t untimed = 0;
    uint64_t total = 0;
    double mean = 0;
    /// Sum of squared differences from the mean.
    double squares = 0;
    uint64_t shortest = 0;
    uint64_t longest = 0;
    DelaySummary queueDelay;
    DelaySummary submitDelay;
    uint64_t bytes = 0;
    Sketch sketch;
    /// Ring buffer of the last kRecent commands; the next one is stored at count % kRecent.
    std::vector<CommandTimes> recent;
  };
  static constexpr size_t kRecent = 32;

  const Values& values() const { return values_; }
  void clear() { values_ = {}; }
  uint64_t pending() const { return pending_; }

  /// Sets the bytes that one command transfers.
  void setBytes(uint64_t bytes) { bytes_ = bytes; }
  void setTrace(std::shared_ptr<Trace> trace, uint32_t name) {
    trace_ = std::move(trace);
    traceName_ = name;
  }
  /// Adds or removes an observer.
  void observe(std::shared_ptr<Statistics> observer, bool on);
  /// Returns whether it or an observer writes a trace.
  bool traced() const;

  /// Counts an enqueued command as pending until settle(), which must be called once for each.
  void expect() { ++pending_; }
  void settle() { --pending_; }
  void succeeded(TracedCommand& command);
  /// `command` is null if no trace wants it.
  void failed(const TracedCommand* command);
  void untimed();

 private:
  void add(const TracedCommand& command);
  void fail(const TracedCommand* command);
  void trace(const TracedCommand& command);

  Values values_;
  uint64_t pending_ = 0;
  uint64_t bytes_ = 0;
  std::shared_ptr<Trace> trace_;
  uint32_t traceName_ = 0;
  std::vector<std::shared_ptr<Statistics>> observers_;
};

inline Statistics& statisticsOf(const Slot& slot) { return *static_cast<Statistics*>(slot.record.get()); }

}  // namespace cl
