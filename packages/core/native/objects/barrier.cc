#include "objects/barrier.h"

#include "driver/driver.h"
#include "objects/event.h"
#include "objects/queue_record.h"

namespace cl {

// On PoCL with a wait list, a fill: its markers wait for everything before them even if they have a wait list.
cl_event enqueueNothing(const Runtime& runtime, const Slot& queue, cl_uint count, const cl_event* events) {
  const auto commands = queue.as<cl_command_queue>();
  cl_event event = nullptr;
  if (count == 0 || !isPocl(runtime, commands)) {
    check(runtime.clEnqueueMarkerWithWaitList(commands, count, count == 0 ? nullptr : events, &event),
          "clEnqueueMarkerWithWaitList");
    return event;
  }
  cl_int status = CL_SUCCESS;
  const cl_mem memory =
      runtime.clCreateBuffer(static_cast<cl_context>(queue.context), CL_MEM_READ_WRITE, 1, nullptr, &status);
  check(status, "clCreateBuffer");
  const cl_uchar zero = 0;
  status = runtime.clEnqueueFillBuffer(commands, memory, &zero, 1, 0, 1, count, events, &event);
  // The enqueued command retains it.
  runtime.clReleaseMemObject.quietly(memory);
  check(status, "clEnqueueFillBuffer");
  return event;
}

void enqueueBarrier(const Slot& queue, const std::vector<cl_event>& waits, cl_event* event) {
  const Runtime& runtime = *queue.runtime;
  const auto target = queue.as<cl_command_queue>();
  OwnedEvent waitCommand(runtime);
  if (!waits.empty() && !queueRecord(queue).inOrder && isPocl(runtime, target))
    waitCommand.replace(enqueueNothing(runtime, queue, size(waits), data(waits)));
  const cl_event waitEvent = waitCommand.get();
  check(runtime.clEnqueueBarrierWithWaitList(target, waitEvent != nullptr ? 1 : size(waits),
                                             waitEvent != nullptr ? &waitEvent : data(waits), event),
        "clEnqueueBarrierWithWaitList");
}

}  // namespace cl
