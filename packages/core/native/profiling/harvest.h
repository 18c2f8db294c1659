// The harvest: commands whose times are recorded when they have ended.
//
// A command with statistics on a profiling queue is enqueued with an event, which is stored here with the statistics.
// The events are polled after every few hundred commands, when the queue is empty, and when statistics are read: times
// of ended commands are recorded and their events released. Nothing waits for a command, no JavaScript object is
// created, and the number of events is bounded by the unfinished commands plus one batch.
//
// On an in-order queue, polling stops at the first command that has not ended. On other queues it stops after a bounded
// number of those, which move to the end, so that one blocked command does not hide others.
//
// Lifetime: an event is held until its command has ended, which PoCL 3.1 requires if the command may fail
// (held_events.h). At teardown the times of ended commands are recorded and all events released, or leaked if a device
// did not finish in time. JavaScript thread only.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "napi/call.h"
#include "objects/kernel.h"
#include "objects/queue_record.h"
#include "profiling/statistics.h"

namespace cl {

/// When a wait for a command is over.
enum class WaitEnd { Start, End };

/// The commands of one queue that have not been recorded.
class Harvest {
 public:
  Harvest(const Runtime& runtime, bool inOrder, uint32_t number, bool nvidia);
  ~Harvest();
  Harvest(const Harvest&) = delete;
  Harvest& operator=(const Harvest&) = delete;

  /// Adds a command. Takes ownership of the event. Sizes, the time of the call (0 if unknown) and order are for traces.
  void add(const std::shared_ptr<Statistics>& statistics, cl_event event, const Sizes* sizes, uint64_t called,
           const CommandOrder* order);
  /// Adds the time from the end of `before`, a command that was enqueued just before the wait, to the start or the end
  /// of `event`. Takes ownership of both.
  void addWait(const std::shared_ptr<Statistics>& statistics, cl_event before, cl_event event, WaitEnd end);
  /// Records the times of ended commands. Stops at `window` commands that have not ended.
  void collect(size_t window);
  void collectAll() { collect(SIZE_MAX); }
  bool empty() const { return next_ == commands_.size(); }
  uint32_t number() const { return number_; }

 private:
  struct Command {
    cl_event event;
    /// Shared, because their kernel and their JavaScript object may be released before the command ends.
    std::shared_ptr<Statistics> statistics;
    /// Additional data for a trace, or null without one.
    std::unique_ptr<TracedCommand> traced;
    /// Of a wait: the command before it; otherwise null.
    cl_event before = nullptr;
    WaitEnd waitEnd = WaitEnd::Start;
  };

  void push(Command command);
  bool settle(Command& command);
  /// Reads the times of a command that has ended. Returns false if the driver has none.
  bool readTimes(const Command& command, CommandTimes& times);
  void releaseEvents(const Command& command);

  const Runtime& runtime_;
  const bool inOrder_;
  const uint32_t number_;
  /// Number of added commands after which it polls.
  const uint32_t batch_;
  std::vector<Command> commands_;
  /// Commands before this index have been recorded.
  size_t next_ = 0;
  uint32_t sinceCollect_ = 0;
};

/// The harvests of one environment.
struct Harvests {
  std::vector<std::shared_ptr<Harvest>> queues;
  /// For events whose queue is unknown: one for each runtime.
  std::unordered_map<const Runtime*, Harvest> noQueue;
  uint32_t lastNumber = 0;
  uint64_t lastSerial = 0;

  void collectAll();
  /// Ends the harvests at the environment's teardown; `quiet` says whether all commands have ended.
  static void close(std::shared_ptr<Harvests> harvests, bool quiet);
};

/// Returns the queue's harvest and creates it at the first call.
Harvest& harvestOf(Environment& environment, const Slot& queue);
/// Returns the harvest for a runtime's events whose queue is unknown.
Harvest& harvestOfNoQueue(Environment& environment, const Runtime& runtime);

/// Reserves `count` consecutive serials and returns the first.
uint64_t takeSerials(Environment& environment, size_t count);

/// Records the times of all commands that have ended.
void harvestAll(Environment& environment);

/// Returns whether a command with these statistics, which may be null, needs an event.
inline bool isCounted(const Slot& queue, const std::shared_ptr<Statistics>& statistics) {
  return statistics && queueRecord(queue).profiling;
}

/// Returns the time of the call that enqueues a command next, if a trace needs it; else 0.
inline uint64_t callTime(const Statistics& statistics) { return statistics.traced() ? hostClock() : 0; }

/// Records the command's times in the statistics when it has ended. Takes ownership of the event.
inline void harvest(Environment& environment, const Slot& queue, const std::shared_ptr<Statistics>& statistics,
                    cl_event event, const Sizes* sizes, uint64_t called, const CommandOrder* order = nullptr) {
  harvestOf(environment, queue).add(statistics, event, sizes, called, order);
}

}  // namespace cl
