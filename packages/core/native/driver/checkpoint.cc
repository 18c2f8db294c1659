#include "driver/checkpoint.h"

#include "driver/event_status.h"

namespace cl {

bool isInOrder(const Runtime& runtime, cl_command_queue queue) {
  cl_command_queue_properties properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  runtime.clGetCommandQueueInfo.quietly(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr);
  return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
}

Checkpoint::Checkpoint(const Runtime& runtime, cl_command_queue queue) : Checkpoint(runtime, queue, nullptr) {
  place();
}

Checkpoint::Checkpoint(const Runtime& runtime, cl_command_queue queue, cl_event event)
    : runtime_(runtime), queue_(queue), event_(event), inOrder_(isInOrder(runtime, queue)) {
  retained_ = runtime_.clRetainCommandQueue && runtime_.clRetainCommandQueue(queue_) == CL_SUCCESS;
}

Checkpoint::~Checkpoint() {
  if (event_ != nullptr) runtime_.clReleaseEvent.quietly(event_);
  if (retained_) runtime_.clReleaseCommandQueue.quietly(queue_);
}

void Checkpoint::place() {
  if (event_ != nullptr) runtime_.clReleaseEvent.quietly(event_);
  event_ = nullptr;
  const auto& marker = runtime_.clEnqueueMarkerWithWaitList;
  markerStatus_ = marker ? marker(queue_, 0, nullptr, &event_) : CL_INVALID_OPERATION;
  if (markerStatus_ != CL_SUCCESS) event_ = nullptr;
  runtime_.clFlush.quietly(queue_);
}

cl_int Checkpoint::status() const { return event_ == nullptr ? CL_QUEUED : statusOf(runtime_, event_, CL_QUEUED); }

bool Checkpoint::passed() {
  const cl_int now = status();
  if (event_ != nullptr && now > CL_COMPLETE) return false;
  if (event_ != nullptr && (now == CL_COMPLETE || inOrder_)) return true;
  // Either the driver provided no marker and may do so now, or the queue is out-of-order and the marker has failed,
  // which it does with the first command that fails, while others may still run. Try again.
  if (retained_) place();
  return false;
}

}  // namespace cl
