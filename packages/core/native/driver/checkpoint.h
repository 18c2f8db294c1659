// A place in a queue, and whether the queue has passed it.
//
// It has a reference to the queue, so that the place can be asked for after everybody else has let the queue go. It
// belongs to the JavaScript thread.
#pragma once

#include "driver/errors.h"
#include "driver/loader.h"

namespace cl {

bool isInOrder(const Runtime& runtime, cl_command_queue queue);

/// A place in a queue, which has been passed when everything before it has ended.
class Checkpoint {
 public:
  Checkpoint(const Runtime& runtime, cl_command_queue queue);
  /// Of a command that is on its way already; takes the event over.
  Checkpoint(const Runtime& runtime, cl_command_queue queue, cl_event event);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  bool passed();
  /// What the event ended with; positive while it has not.
  cl_int status() const;
  /// Throws if the driver had no marker for us.
  cl_event event() const {
    runtime_.clEnqueueMarkerWithWaitList.require();
    check(placed_, "clEnqueueMarkerWithWaitList");
    return event_;
  }
  /// Throws where the driver will not say when it is passed.
  void confirm() const {
    cl_int status = CL_QUEUED;
    check(runtime_.clGetEventInfo(event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
          "clGetEventInfo");
  }
  cl_command_queue queue() const { return queue_; }

 private:
  void place();

  const Runtime& runtime_;
  cl_command_queue queue_;
  cl_event event_ = nullptr;
  cl_int placed_ = CL_SUCCESS;
  bool inOrder_ = true;
  /// We have a reference to the queue, and so may use it.
  bool retained_ = false;
};

}  // namespace cl
