// Traces: the latest commands one by one, up to a capacity.
//
// Statistics (statistics.h) add a command when it has ended. JavaScript reads the records in binary form.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "napi/call.h"

namespace cl {

/// Timestamps of an ended command in nanoseconds: the driver's, or the host's for host functions.
struct CommandTimes {
  uint64_t queued;
  uint64_t submit;
  uint64_t start;
  uint64_t end;
};

/// One command in a trace. src/profile/command-trace.ts reads the same layout.
struct TraceRecord {
  uint32_t name;
  /// The queue's number, or 0 if it is unknown.
  uint32_t queue;
  CommandTimes times;
  /// The host's clock just after the command was enqueued, or 0 for a host function.
  uint64_t enqueued;
  uint64_t bytes;
  uint16_t dimensions;
  uint16_t hasLocal;
  /// 0, the negative status of a command that failed, or 1 for a host function that threw an error.
  int32_t status;
  uint64_t global[3];
  uint64_t local[3];
  /// Identifies the command for its successors; 0 if it cannot have any.
  uint64_t serial;
  /// Number of predecessors, whose serials follow all records.
  uint64_t waits;
  /// The host's clock just before the call that enqueued the command, or 0 if it is unknown.
  uint64_t called;
};
static_assert(sizeof(TraceRecord) == 136);

/// Returns the host's clock in nanoseconds.
inline uint64_t hostClock() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

/// Predecessors of a command, as differences of serials. All launches of a list share them.
using Predecessors = std::shared_ptr<const std::vector<uint32_t>>;

/// The position of a list's command in the order of commands.
struct CommandOrder {
  uint64_t serial;
  const Predecessors& after;
};

/// A command for a trace, with its predecessors.
struct TracedCommand {
  TraceRecord record{};
  Predecessors after;
};

/// A ring buffer of the latest commands. JavaScript thread only.
class Trace final : public Record {
 public:
  explicit Trace(size_t capacity) : capacity_(capacity) {}

  void add(TracedCommand command);
  /// Returns the commands, oldest first.
  std::vector<TracedCommand> commands() const;
  uint64_t dropped() const { return dropped_; }
  void clear();

 private:
  const size_t capacity_;
  std::vector<TracedCommand> commands_;
  /// The index of the oldest command once the buffer is full.
  size_t oldest_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace cl
