// Barriers with a wait list, on out-of-order queues.
//
// Commands after two barriers must wait for both. In PoCL, only the last barrier of a queue holds later commands, and a
// barrier with a wait list waits only for that list, so the earlier barrier is lost. On PoCL, a no-op command with the
// wait list, which the earlier barrier holds like any other, therefore stands in for the list.
#pragma once

#include "napi/call.h"

namespace cl {

/// Enqueues a no-op that waits for the events, or with none for all earlier commands. Returns its event.
cl_event enqueueNothing(const Runtime& runtime, const Slot& queue, cl_uint count, const cl_event* events);

/// Makes later commands wait for the events, or with none for all earlier commands. `event` may be null.
void enqueueBarrier(const Slot& queue, const std::vector<cl_event>& waits, cl_event* event = nullptr);

}  // namespace cl
