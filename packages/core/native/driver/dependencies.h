// Records which commands wait, directly or indirectly, for a gate: something that only one thread of this process can
// end. There are two kinds of gates:
//  - a host function: a JavaScript function that runs in queue order (host_function.cc), on the thread that enqueued
//    it;
//  - a user event that JavaScript created. The creating thread ends it, unless other code has its pointer.
// A call that would block this thread until one of this thread's gates ends can never return, so it is refused before
// the driver is called.
//
// The rules follow OpenCL's order:
//  - a command waits for the events of its wait list, and transitively for what those wait for;
//  - on an in-order queue, also for every earlier command;
//  - on an out-of-order queue, also for the earlier barriers; a marker or barrier without a wait list waits for every
//    earlier command;
//  - PoCL waits for more: its markers wait for every earlier command even if they have a wait list, and its blocking
//    commands wait for the whole queue;
//  - NVIDIA's driver executes out-of-order queues in order: a command after a waiting one was observed to wait, too;
//  - clFinish waits for every command of the queue.
// Gates of other threads, user events whose pointer other code has, and adopted events never cause a refusal: they may
// end while this thread is blocked.
//
// Nothing is recorded while no gate is pending. While one is, every command passes through held_events.cc, which calls
// noteCommand(). A command's set of host functions omits those that another one in the set already waits for, so ten
// thousand functions in a row cost as much as one.
//
// All functions may be called from any thread.
#pragma once

#include <string>
#include <vector>

#include "driver/loader.h"

namespace cl {

/// How a command is ordered with respect to other commands of its queue.
enum class Order { Plain, Marker, Barrier };

/// A command that is about to be enqueued or has been enqueued.
struct Command {
  cl_command_queue queue;
  cl_uint waits;
  const cl_event* waitFor;
  Order order;
};

/// Returns whether any gate is pending, that is, whether commands are recorded. Costs one atomic load.
bool gatesPending();

/// Registers a host function of this thread, pending until gateEnds(): commands that wait for `user` wait for it. It
/// runs after `before` and `waitFor`.
void functionBegins(const Runtime& runtime, cl_event user, cl_event before, const std::vector<cl_event>& waitFor,
                    std::string label);
/// Registers a user event of this thread, pending until gateEnds().
void userEventBegins(cl_event user);
/// Marks a user event whose pointer other code has: any thread may end it.
void userEventShared(cl_event user);
/// Unregisters a gate. Must be called for every user event that ends.
void gateEnds(cl_event user);

/// Records an enqueued command; `event` may be null.
void noteCommand(const Runtime& runtime, const Command& command, cl_event event);
/// Discards what is recorded for an earlier queue at the same address. Call it for each new queue.
void forgetQueue(cl_command_queue queue);
/// Discards what is recorded for an earlier event at the same address. Call it for released and for new user events.
void forgetEvent(cl_event event);

/// Records that a user event of this addon ends only after another event. Call it after creating the user event.
void eventFollows(cl_event event, cl_event earlier);

/// Throw DEADLOCK or DEADLOCK_USER_EVENT if the call would block this thread on one of its gates. In this order:
/// enqueueing a command and waiting for its event, a blocking command, clFinish, clWaitForEvents.
void refuseToAwait(const Runtime& runtime, const char* routine, const Command& command);
void refuseToBlock(const Runtime& runtime, const char* routine, const Command& command);
void refuseToFinish(const char* routine, cl_command_queue queue);
void refuseToWait(const Runtime& runtime, const char* routine, cl_uint count, const cl_event* events);

/// What may block the commands of a queue.
enum class Blocker {
  /// Nothing but the device.
  Nothing,
  /// A gate of another thread or library, or a dependency that is not recorded.
  Others,
  /// A gate that only this thread can end.
  ThisThread
};
Blocker blockerOf(cl_command_queue queue);
/// Notes that from now on commands may depend on something that is not recorded: an adopted event or a semaphore.
void noteUnknownWaits();

/// Returns whether an event waits for the host function of a user event.
bool waitsForFunction(cl_event event, cl_event user);

}  // namespace cl
