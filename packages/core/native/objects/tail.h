// Where the last list on an out-of-order queue ends: the events of the commands that nothing in it came after.
//
// A list begins when what came before it on its queue has ended. A barrier says so, but PoCL makes it wait for each
// command that is pending, and looks through all of these whenever one of them ends: a thousand lists in flight took
// minutes. A marker is as bad. So a list that follows another one directly waits for that one's last commands alone.
#pragma once

#include <span>
#include <vector>

#include "napi/handles.h"

namespace cl {

class Tail final {
 public:
  Tail() = default;
  ~Tail() { drop(); }
  Tail(const Tail&) = delete;
  Tail& operator=(const Tail&) = delete;

  /// Takes the events: all that is before them, and nothing after them, is what the queue has got by its current use.
  void end(const Slot& queue, std::vector<cl_event> events) {
    drop();
    runtime_ = queue.runtime;
    events_ = std::move(events);
    uses_ = queue.uses;
  }
  /// The events, if nothing was done with the queue before its current use, and if none of them has failed: failures of
  /// one list are not those of the next. Else none.
  std::span<const cl_event> before(const Slot& queue) const;
  /// The events, whatever was done since.
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
