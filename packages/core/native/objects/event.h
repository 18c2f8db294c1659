// Owners of event references.
#pragma once

#include <utility>
#include <vector>

#include "napi/call.h"

namespace cl {

/// Owns an event, or none, and releases it unless it is taken.
class OwnedEvent {
 public:
  explicit OwnedEvent(const Runtime& runtime, cl_event event = nullptr) : runtime_(runtime), event_(event) {}
  OwnedEvent(const OwnedEvent&) = delete;
  OwnedEvent& operator=(const OwnedEvent&) = delete;
  ~OwnedEvent() { replace(nullptr); }
  cl_event get() const { return event_; }
  cl_event take() { return std::exchange(event_, nullptr); }
  /// Releases the current event and takes ownership of `event`.
  void replace(cl_event event) {
    if (event_ != nullptr) runtime_.clReleaseEvent.quietly(event_);
    event_ = event;
  }

 private:
  const Runtime& runtime_;
  cl_event event_;
};

/// Owns events and releases those that are not null.
class OwnedEvents {
 public:
  explicit OwnedEvents(const Runtime& runtime) : runtime_(runtime) {}
  OwnedEvents(const OwnedEvents&) = delete;
  OwnedEvents& operator=(const OwnedEvents&) = delete;
  ~OwnedEvents() {
    for (const cl_event event : list)
      if (event != nullptr) runtime_.clReleaseEvent.quietly(event);
  }

  std::vector<cl_event> list;

 private:
  const Runtime& runtime_;
};

}  // namespace cl
