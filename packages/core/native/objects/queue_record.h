// The state of a queue in addition to its OpenCL object.
#pragma once

#include "napi/handles.h"
#include "objects/pace.h"
#include "objects/tail.h"

namespace cl {

class Harvest;
struct LoanStates;
class Staging;
class SvmState;

/// The record in a queue's slot. JavaScript thread only.
struct QueueRecord final : Record {
  Pace pace;
  /// Used on out-of-order queues only.
  Tail tail;
  /// Transfers large data faster than the driver, if enabled; see staging.h.
  std::shared_ptr<Staging> staging;

  /// Set when shared virtual memory is used on the queue; notified of the queue's end.
  std::shared_ptr<SvmState> svm;
  /// Set when pooled memory is used on the queue; notified of the queue's end.
  std::shared_ptr<LoanStates> loanStates;

  /// Commands whose times are to be recorded; null until there are any.
  std::shared_ptr<Harvest> harvest;

  const bool inOrder;
  /// Created with CL_QUEUE_PROFILING_ENABLE.
  bool profiling = false;
  /// Other code may enqueue commands: the queue was adopted, or its pointer was exported.
  bool shared = false;
  /// The driver reads the host memory of small writes too early; see pending_reads.h.
  bool readsHostEarly = false;
  /// The slot's number of uses when the queue was last known to be empty. New queues are empty.
  uint64_t emptyAt = 0;

  QueueRecord(const Runtime& runtime, uint32_t depth, bool inOrder) : pace(runtime, depth), inOrder(inOrder) {}
  void onRelease(const Slot& queue) override;
};

/// Returns the record of a queue's slot.
inline QueueRecord& queueRecord(const Slot& queue) { return *static_cast<QueueRecord*>(queue.record.get()); }

/// Records the times of the queue's commands that have ended (harvest.h).
void collectTimes(QueueRecord& queue);

/// Must be called when the queue is known to be empty, that is, when all commands of this environment have ended.
inline void noteEmpty(const Slot& queue) {
  QueueRecord& record = queueRecord(queue);
  record.pace.finished();
  record.emptyAt = queue.uses;
  if (record.harvest) [[unlikely]]
    collectTimes(record);
}

}  // namespace cl
