// Barriers with a wait list, on queues that may reorder commands.
//
// What comes after two barriers waits for both. PoCL forgets the first one if the second has a wait list: 3.1 lets only
// the last barrier of a queue hold commands, and a barrier with a wait list waits for nothing but that list. So on PoCL
// a command that does nothing, which the earlier barrier holds like any other, takes the list's place.
#pragma once

#include "napi/call.h"

namespace cl {

/// A command that waits for these events, or without any for everything before it, and does nothing. Returns its event.
cl_event enqueueNothing(const Runtime& runtime, const Slot& queue, cl_uint count, const cl_event* events);

/// What comes after it waits for these events, or without any for everything before it. `event` may be null.
void enqueueBarrier(const Slot& queue, const std::vector<cl_event>& waits, cl_event* event = nullptr);

}  // namespace cl
