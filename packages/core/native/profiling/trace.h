// A trace: the latest commands one by one, as many as were asked for.
//
// Statistics write into it (statistics.h) when a command has ended. JavaScript reads the records as they lie.
#pragma once

#include <memory>
#include <vector>

#include "napi/call.h"

namespace cl {

/// What the driver, or for functions on the host the host, knows of a command that has ended; in nanoseconds.
struct CommandTimes {
  uint64_t queued;
  uint64_t submit;
  uint64_t start;
  uint64_t end;
};

/// One command in a trace. JavaScript reads these as they lie (src/profile/command-trace.ts).
struct TraceRecord {
  uint32_t name;
  /// The number of the queue, 0 if it is not known.
  uint32_t queue;
  CommandTimes times;
  /// The host's clock just after the command was enqueued, or 0 for a function on the host, whose times are the host's.
  uint64_t enqueued;
  uint64_t bytes;
  uint32_t dimensions;
  uint32_t hasLocal;
  uint64_t global[3];
  uint64_t local[3];
  /// By which commands that begin after it name it; 0 if none can.
  uint64_t serial;
  /// How many it began after; their serials follow all records.
  uint64_t waits;
};
static_assert(sizeof(TraceRecord) == 128);

/// How much lower the serials of those are that a command begins after. A list's launches all have the same.
using Predecessors = std::shared_ptr<const std::vector<uint32_t>>;

/// Where a command of a list stands.
struct CommandOrder {
  uint64_t serial;
  const Predecessors& after;
};

/// A command for a trace, and what it began after.
struct TracedCommand {
  TraceRecord record{};
  Predecessors after;
};

/// The latest commands, as many as were asked for.
class Trace final : public Record {
 public:
  explicit Trace(size_t capacity) : capacity_(capacity) {}

  void add(TracedCommand command);
  /// In the order in which they came.
  std::vector<TracedCommand> commands() const;
  uint64_t dropped() const { return dropped_; }
  void clear();

 private:
  const size_t capacity_;
  std::vector<TracedCommand> commands_;
  /// The oldest, once it is full.
  size_t oldest_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace cl
