// The execution status of an event, for code that must not throw.
#pragma once

#include "driver/loader.h"

namespace cl {

/// Returns the execution status of an event, or `ifUnknown` if the query fails.
inline cl_int statusOf(const Runtime& runtime, cl_event event, cl_int ifUnknown) {
  cl_int status = ifUnknown;
  runtime.clGetEventInfo.quietly(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return status;
}

}  // namespace cl
