// Host memory that pending reads will write, for a driver that reads host memory too early.
//
// A write command should read its host memory when it runs. NVIDIA's driver (580) copies up to 64 KiB when the write is
// enqueued, even if the write waits for a read into the same memory, so the device gets the old contents. The driver
// does not do so if the command waits for a user event. A write from memory that a pending read will fill therefore
// also waits for a user event, which completes when the read has ended.
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

/// Registers that the command `event` of this queue will write to the range. The caller holds the result until the
/// command has ended. Returns null if the driver does not read host memory early.
std::shared_ptr<void> notePendingRead(const Slot& queue, cl_event event, HostRange range, std::shared_ptr<void> pin);

/// The wait list of a command that reads a range of host memory.
class WriteWaitList {
 public:
  /// Combines `events` with a user event for each pending read into the range.
  WriteWaitList(Call& call, const Slot& queue, HostRange range, std::vector<cl_event> events);
  const std::vector<cl_event>& events() const { return events_; }

 private:
  OwnedEvents gates_;
  std::vector<cl_event> events_;
};

}  // namespace cl
