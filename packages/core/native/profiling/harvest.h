// Commands whose times are to be counted when they have ended.
//
// A command on a queue with profiling is enqueued with an event, and the event waits here, natively, with the
// statistics that it is for. After every few hundred commands, when the queue is empty, and whenever somebody reads
// statistics, those that have ended are counted and their events given back. Nothing waits for a command, JavaScript
// has no object for it, and what is kept is no more than what the driver has not ended, and one batch.
//
// On an in-order queue the first that has not ended stands for all behind it. Elsewhere a bounded number is looked at
// in turn, so that one that is held back hides none of the others.
//
// Lifetime: an event is held until its command has ended, which drivers require of whoever fails commands, too. With
// the environment what has ended is counted and the rest given back; if a device could not be waited for, it is leaked.
#pragma once

#include <memory>
#include <vector>

#include "napi/call.h"
#include "objects/kernel.h"
#include "objects/queue_record.h"
#include "profiling/statistics.h"

namespace cl {

/// The commands of one queue.
class Harvest {
 public:
  Harvest(const Runtime& runtime, bool inOrder, uint32_t number, bool nvidia);
  ~Harvest();
  Harvest(const Harvest&) = delete;
  Harvest& operator=(const Harvest&) = delete;

  /// Takes the event. The sizes and the order are for traces, and may be null.
  void add(Statistics& statistics, cl_event event, const Sizes* sizes, const CommandOrder* order);
  /// Counts what has ended, of at most so many that have not.
  void collect(size_t window);
  void collectAll() { collect(SIZE_MAX); }
  bool empty() const { return next_ == commands_.size(); }
  uint32_t number() const { return number_; }

 private:
  struct Command {
    cl_event event;
    /// Counts it as expected, and so lives.
    Statistics* statistics;
    /// What a trace wants to know besides, if there is one.
    std::unique_ptr<TracedCommand> traced;
  };

  bool settle(Command& command);

  const Runtime& runtime_;
  const bool inOrder_;
  const uint32_t number_;
  /// After how many commands it looks.
  const uint32_t batch_;
  std::vector<Command> commands_;
  /// Those before have been counted.
  size_t next_ = 0;
  uint32_t sinceLook_ = 0;
};

/// All of an environment.
struct Harvests {
  std::vector<std::shared_ptr<Harvest>> queues;
  /// For events of which the queue is not known.
  std::shared_ptr<Harvest> noQueue;
  uint32_t lastNumber = 0;
  uint64_t lastSerial = 0;

  void collectAll();
  /// With the environment.
  static void close(std::shared_ptr<Harvests> harvests, bool quiet);
};

Harvest& harvestOf(Environment& environment, const Slot& queue);
Harvest& harvestOfNoQueue(Environment& environment, const Runtime& runtime);

/// The first of so many serials, which nothing else has.
uint64_t takeSerials(Environment& environment, size_t count);

/// Counts everything that has ended.
void harvestAll(Environment& environment);

/// True if a command for these statistics, or none, needs an event to be counted.
inline bool isCounted(const Slot& queue, const std::shared_ptr<Statistics>& statistics) {
  return statistics && queueRecord(queue).profiling;
}

/// Counts a command when it has ended. Takes the event.
inline void harvest(Environment& environment, const Slot& queue, Statistics& statistics, cl_event event,
                    const Sizes* sizes, const CommandOrder* order = nullptr) {
  harvestOf(environment, queue).add(statistics, event, sizes, order);
}

}  // namespace cl
