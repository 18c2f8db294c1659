#include "pace.h"

#include <chrono>
#include <thread>

namespace cl {

namespace {

constexpr auto kMost = std::chrono::milliseconds(2);
constexpr auto kStep = std::chrono::microseconds(20);

}  // namespace

void Pace::catchUp(cl_command_queue queue, cl_event last) {
  ahead_ = 0;
  if (checkpoint_ != nullptr) {
    const auto end = std::chrono::steady_clock::now() + kMost;
    while (!reached()) {
      if (std::chrono::steady_clock::now() >= end) return;
      // Asleep, not spinning: on a CPU device this thread's core is one that the kernels need.
      std::this_thread::sleep_for(kStep);
    }
  }
  drop();
  if (last != nullptr && runtime_.clRetainEvent(last) == CL_SUCCESS) {
    checkpoint_ = last;
    runtime_.clFlush.quietly(queue);
    return;
  }
  // Without a marker there is nothing to wait for, and the launches go on as they would without us.
  if (!runtime_.clEnqueueMarkerWithWaitList) return;
  if (runtime_.clEnqueueMarkerWithWaitList(queue, 0, nullptr, &checkpoint_) != CL_SUCCESS) checkpoint_ = nullptr;
  runtime_.clFlush.quietly(queue);
}

bool Pace::reached() const {
  cl_int status = CL_COMPLETE;
  runtime_.clGetEventInfo.quietly(checkpoint_, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return status <= CL_COMPLETE;
}

void Pace::drop() {
  if (checkpoint_ != nullptr) runtime_.clReleaseEvent.quietly(checkpoint_);
  checkpoint_ = nullptr;
}

}  // namespace cl
