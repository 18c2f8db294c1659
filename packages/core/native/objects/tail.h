// The end of the last list on an out-of-order queue: the events of its commands that no other of its commands waits
// for.
//
// A list starts when everything enqueued before it has ended. A barrier expresses that, but PoCL makes it wait for
// every pending command and scans all of these whenever one of them ends: a thousand lists in flight took minutes. A
// marker is as slow. So a list that directly follows another one waits for that list's last commands only.
#pragma once

#include <span>
#include <vector>

#include "napi/handles.h"

namespace cl {

/// The tail of one queue. Owns the events. JavaScript thread only.
class Tail final {
 public:
  Tail() = default;
  ~Tail() { drop(); }
  Tail(const Tail&) = delete;
  Tail& operator=(const Tail&) = delete;

  /// Takes ownership of the events, which must complete after all of the queue's commands up to its current use.
  void end(const Slot& queue, std::vector<cl_event> events) {
    drop();
    runtime_ = queue.runtime;
    events_ = std::move(events);
    uses_ = queue.uses;
  }
  /// Returns the events if nothing was enqueued since, else none. Also none if one of them has failed, because a list
  /// does not fail with its predecessor.
  std::span<const cl_event> before(const Slot& queue) const;
  /// Returns the events, whatever was enqueued since.
  const std::vector<cl_event>& events() const { return events_; }
  void drop() {
    for (const cl_event event : events_) runtime_->clReleaseEvent.quietly(event);
    events_.clear();
  }

 private:
  const Runtime* runtime_ = nullptr;
  std::vector<cl_event> events_;
  uint64_t uses_ = 0;
};

}  // namespace cl
