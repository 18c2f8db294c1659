// Host memory that pending commands will write, for a driver that reads host memory too early.
//
// A write reads its host memory when its turn comes. NVIDIA's driver (580) copies up to 64 KiB of it as soon as the
// write is enqueued, even if the write waits for a read into the same memory: the device then gets what the memory held
// before that read. It leaves a command alone that waits for a user event. So a write from memory that a pending read
// will fill also waits for a user event of ours, which ends when the read has ended.
#pragma once

#include <memory>
#include <vector>

#include "napi/call.h"
#include "objects/event.h"

namespace cl {

struct HostRange {
  const uint8_t* data = nullptr;
  size_t bytes = 0;
};

/// Notes that the command `event` of this queue will write the range. The caller holds the result until the command has
/// ended. Null for drivers that read host memory in time.
std::shared_ptr<void> notePendingRead(const Slot& queue, cl_event event, HostRange range, std::shared_ptr<void> pin);

/// The wait list of a command that reads a range of host memory.
class WaitsOfWrite {
 public:
  /// The events, and a user event for each pending read into the range.
  WaitsOfWrite(Call& call, const Slot& queue, HostRange range, std::vector<cl_event> events);
  const std::vector<cl_event>& all() const { return all_; }

 private:
  OwnedEvents own_;
  std::vector<cl_event> all_;
};

}  // namespace cl
