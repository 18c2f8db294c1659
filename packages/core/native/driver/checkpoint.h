// A position in a queue, and whether the queue has passed it.
//
// A checkpoint holds a reference to its queue, so it outlives the queue's other owners. It must be used on the
// JavaScript thread.
#pragma once

#include "driver/errors.h"
#include "driver/loader.h"

namespace cl {

/// Returns whether the queue executes in order; false if the driver does not say.
bool isInOrder(const Runtime& runtime, cl_command_queue queue);

/// A position in a queue; it has been passed when all commands before it have ended.
class Checkpoint {
 public:
  /// Enqueues a marker at the queue's current end.
  Checkpoint(const Runtime& runtime, cl_command_queue queue);
  /// Uses the event of an enqueued command. Takes ownership of the event.
  Checkpoint(const Runtime& runtime, cl_command_queue queue, cl_event event);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  /// Returns whether the queue has passed it. Enqueues a new marker if the old one is missing or has failed.
  bool passed();
  /// The event's execution status; positive until it has ended.
  cl_int status() const;
  /// Throws if the driver could not enqueue the marker.
  cl_event event() const {
    runtime_.clEnqueueMarkerWithWaitList.require();
    check(markerStatus_, "clEnqueueMarkerWithWaitList");
    return event_;
  }
  /// Throws if the driver cannot report whether it has been passed.
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
  cl_int markerStatus_ = CL_SUCCESS;
  bool inOrder_ = true;
  /// The queue is retained, so it may be used.
  bool retained_ = false;
};

}  // namespace cl
