// Running statistics of commands: what a million launches took, in a few hundred bytes.
//
// Durations go into moments (Welford's way, which loses nothing to cancellation) and into a sketch: a histogram whose
// bins grow by 2 %, so that every quantile is known to 1 %. A driver's four times give two delays besides: from the
// call to the device, and from there to the start.
//
// Lifetime: whoever has commands pending (harvest.h) keeps their statistics alive by counting them: the JavaScript
// object may be released or collected before they end. Statistics may have observers, which are told of every command
// as well: a profiler counts for itself, so that emptying it takes nothing from anybody. Observers observe nobody, so
// there are no circles. All of it belongs to the JavaScript thread.
#pragma once

#include <memory>
#include <vector>

#include "napi/call.h"
#include "profiling/trace.h"

namespace cl {

struct Sizes;

/// A histogram of durations with bins that grow by a constant factor, as long as the range that was seen.
class Sketch {
 public:
  void add(uint64_t duration);
  uint64_t zeros() const { return zeros_; }
  /// The number of the first bin.
  int first() const { return first_; }
  const std::vector<uint64_t>& bins() const { return bins_; }

 private:
  uint64_t zeros_ = 0;
  int first_ = 0;
  std::vector<uint64_t> bins_;
};

struct DelaySummary {
  uint64_t count = 0;
  uint64_t total = 0;
  uint64_t longest = 0;

  void add(uint64_t from, uint64_t to);
};

class Statistics final : public Record, public std::enable_shared_from_this<Statistics> {
 public:
  /// What was measured since the beginning, or since it was last emptied.
  struct Values {
    uint64_t count = 0;
    uint64_t failed = 0;
    uint64_t untimed = 0;
    uint64_t total = 0;
    double mean = 0;
    /// The sum of squared differences from the mean.
    double squares = 0;
    uint64_t shortest = 0;
    uint64_t longest = 0;
    DelaySummary queueDelay;
    DelaySummary submitDelay;
    uint64_t bytes = 0;
    Sketch sketch;
    /// The latest commands: kRecent at most, the place of the next one is count % kRecent.
    std::vector<CommandTimes> recent;
  };
  static constexpr size_t kRecent = 32;

  const Values& values() const { return values_; }
  void clear() { values_ = {}; }
  uint64_t pending() const { return pending_; }

  /// What one command moves.
  void setBytes(uint64_t bytes) { bytes_ = bytes; }
  void setTrace(std::shared_ptr<Trace> trace, uint32_t name) {
    trace_ = std::move(trace);
    traceName_ = name;
  }
  void observe(std::shared_ptr<Statistics> observer, bool on);
  /// True if somebody wants to know more than times.
  bool traced() const;

  /// A command was enqueued; settle() comes once for each.
  void expect() { ++pending_; }
  void settle() {
    if (--pending_ == 0 && self_) self_.reset();
  }
  void succeeded(TracedCommand& command);
  void failed();
  void untimed();

  void ends(const Slot&) override {
    if (pending_ > 0) self_ = shared_from_this();
  }

 private:
  void add(const TracedCommand& command);

  Values values_;
  uint64_t pending_ = 0;
  uint64_t bytes_ = 0;
  std::shared_ptr<Trace> trace_;
  uint32_t traceName_ = 0;
  std::vector<std::shared_ptr<Statistics>> observers_;
  /// Keeps it while commands are pending of which nobody else knows.
  std::shared_ptr<Statistics> self_;
};

inline Statistics& statisticsOf(const Slot& slot) { return *static_cast<Statistics*>(slot.record.get()); }

}  // namespace cl
