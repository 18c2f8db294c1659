// Command queues, markers and barriers.
#pragma once

#include "napi/call.h"

namespace cl {

/// Holds host memory until the queue's commands no longer use it, by finishing the queue. If that fails, or would
/// deadlock because of a host function, the memory is leaked.
void finishOrLeak(const Slot& queue, std::shared_ptr<void> memory);

/// An event that the driver only creates if the caller requests it.
class OptionalEvent {
 public:
  explicit OptionalEvent(bool requested) : requested_(requested) {}
  cl_event* address() { return requested_ ? &event_ : nullptr; }
  cl_event get() const { return event_; }
  /// Returns the new event's handle, or undefined if none was requested.
  Napi::Value result(Call& call, const Slot& queue) const;

 private:
  bool requested_;
  cl_event event_ = nullptr;
};

}  // namespace cl
