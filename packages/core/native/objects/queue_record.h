// What a queue's slot holds besides the queue.
#pragma once

#include "napi/handles.h"
#include "objects/pace.h"
#include "objects/tail.h"

namespace cl {

class Harvest;
struct Lendings;
class Staging;
class SvmState;

struct QueueRecord final : Record {
  Pace pace;
  /// If it may reorder commands.
  Tail tail;
  /// How large transfers go, where that is faster than the driver's own way; see staging.h.
  std::shared_ptr<Staging> staging;

  /// Set when shared virtual memory is used on the queue: then that must hear of the queue's end.
  std::shared_ptr<SvmState> svm;
  /// The same for memory that is lent.
  std::shared_ptr<Lendings> lendings;

  /// Commands whose times are to be counted, once there are any.
  std::shared_ptr<Harvest> harvest;

  const bool inOrder;
  /// Its commands remember their times.
  bool profiling = false;
  /// Others may enqueue to it, too: it was adopted, or its pointer was given away.
  bool shared = false;
  /// Its driver reads the host memory of small writes too early; see pending_reads.h.
  bool readsHostEarly = false;
  /// The slot's uses when the queue was last known to be empty; a new queue is.
  uint64_t emptyAt = 0;

  QueueRecord(const Runtime& runtime, uint32_t depth, bool inOrder) : pace(runtime, depth), inOrder(inOrder) {}
  void ends(const Slot& queue) override;
};

/// What a queue's slot holds.
inline QueueRecord& queueRecord(const Slot& queue) { return *static_cast<QueueRecord*>(queue.record.get()); }

/// Counts the commands of the queue that have ended (harvest.h).
void collectTimes(QueueRecord& queue);

/// To be called when the queue is known to be empty: every call of this environment that came before it has ended.
inline void noteEmpty(const Slot& queue) {
  QueueRecord& record = queueRecord(queue);
  record.pace.finished();
  record.emptyAt = queue.uses;
  if (record.harvest) [[unlikely]]
    collectTimes(record);
}

}  // namespace cl
