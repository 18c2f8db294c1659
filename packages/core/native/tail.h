// Where the last list on an out-of-order queue ends.
//
// A list begins when what came before it on its queue has ended. A barrier says so, but PoCL makes it wait for each
// command that is pending, and looks through all of these whenever one of them ends: a thousand lists in flight took
// minutes. So a list that follows another one directly waits for that one's end alone.
#pragma once

#include "handles.h"

namespace cl {

class Tail final {
 public:
  Tail() = default;
  ~Tail() { drop(); }
  Tail(const Tail&) = delete;
  Tail& operator=(const Tail&) = delete;

  /// Takes the event: everything before it, and nothing after it, is what the queue has got by its current use.
  void end(const Slot& queue, cl_event event) {
    drop();
    runtime_ = queue.runtime;
    event_ = event;
    uses_ = queue.uses;
  }
  /// The event, if nothing was done with the queue before its current use, and if it has not failed: failures of one
  /// list are not those of the next.
  cl_event before(const Slot& queue) const;
  void drop() {
    if (event_ != nullptr) runtime_->clReleaseEvent.quietly(event_);
    event_ = nullptr;
  }

 private:
  const Runtime* runtime_ = nullptr;
  cl_event event_ = nullptr;
  uint64_t uses_ = 0;
};

}  // namespace cl
