// What a queue's slot holds besides the queue.
#pragma once

#include "handles.h"
#include "pace.h"

namespace cl {

class Staging;

struct QueueRecord final : Record {
  Pace pace;
  /// How large transfers go, where that is faster than the driver's own way; see staging.h.
  std::shared_ptr<Staging> staging;

  QueueRecord(const Runtime& runtime, uint32_t depth) : pace(runtime, depth) {}
};

inline QueueRecord& queueRecord(const Slot& queue) { return *static_cast<QueueRecord*>(queue.record.get()); }

}  // namespace cl
