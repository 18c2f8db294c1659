#include "objects/tail.h"

#include <algorithm>

namespace cl {

std::span<const cl_event> Tail::before(const Slot& queue) const {
  if (queue.uses != uses_ + 1) return {};
  const bool usable = std::all_of(events_.begin(), events_.end(), [&](cl_event event) {
    cl_int status = CL_COMPLETE;
    return runtime_->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) ==
               CL_SUCCESS &&
           status >= CL_COMPLETE;
  });
  return usable ? std::span(events_) : std::span<const cl_event>();
}

}  // namespace cl
