// Command queues: making them, and the commands that only order others.
#pragma once

#include "napi/call.h"

namespace cl {

/// Waits until a command that is under way no longer uses memory of the host; where that would block for ever, behind a
/// host function, the memory is kept for ever.
void finishOrKeep(const Slot& queue, std::shared_ptr<void> memory);

/// Asks the driver for an event only when the caller wants one: `bool` argument at position i.
class WantedEvent {
 public:
  explicit WantedEvent(bool wanted) : wanted_(wanted) {}
  cl_event* address() { return wanted_ ? &event_ : nullptr; }
  cl_event get() const { return event_; }
  /// The new event's handle, or undefined.
  Napi::Value give(Call& call, const Slot& queue) const;

 private:
  bool wanted_;
  cl_event event_ = nullptr;
};

}  // namespace cl
