// Events and user events.
#pragma once

#include <utility>
#include <vector>

#include "napi/call.h"

namespace cl {

/// An event, or none, that is given back unless somebody takes it.
class OwnedEvent {
 public:
  explicit OwnedEvent(const Runtime& runtime, cl_event event = nullptr) : runtime_(runtime), event_(event) {}
  OwnedEvent(const OwnedEvent&) = delete;
  OwnedEvent& operator=(const OwnedEvent&) = delete;
  ~OwnedEvent() { replace(nullptr); }
  cl_event get() const { return event_; }
  cl_event take() { return std::exchange(event_, nullptr); }
  /// Releases the event that it has, and owns this one.
  void replace(cl_event event) {
    if (event_ != nullptr) runtime_.clReleaseEvent.quietly(event_);
    event_ = event;
  }

 private:
  const Runtime& runtime_;
  cl_event event_;
};

/// Events that are released with it. Null ones are skipped.
class OwnedEvents {
 public:
  explicit OwnedEvents(const Runtime& runtime) : runtime_(runtime) {}
  OwnedEvents(const OwnedEvents&) = delete;
  OwnedEvents& operator=(const OwnedEvents&) = delete;
  ~OwnedEvents() {
    for (const cl_event event : all)
      if (event != nullptr) runtime_.clReleaseEvent.quietly(event);
  }

  std::vector<cl_event> all;

 private:
  const Runtime& runtime_;
};

}  // namespace cl
