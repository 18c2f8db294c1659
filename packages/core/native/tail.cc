#include "tail.h"

namespace cl {

cl_event Tail::before(const Slot& queue) const {
  if (event_ == nullptr || queue.uses != uses_ + 1) return nullptr;
  cl_int status = CL_COMPLETE;
  const bool told = runtime_->clGetEventInfo(event_, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                                             nullptr) == CL_SUCCESS;
  return told && status >= CL_COMPLETE ? event_ : nullptr;
}

}  // namespace cl
