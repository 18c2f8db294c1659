// Which commands wait, directly or indirectly, for a gate: something that only one thread of this process can end.
// There are two kinds of gates:
//  - a host function, a JavaScript function that runs when its turn in a queue comes (host_function.h). It runs on the
//    thread that enqueued it;
//  - a user event of the program. The thread that made it ends it, unless its pointer was given to other code.
// A call that blocks this thread until one of its own gates has ended would never return. Such a call is refused before
// the driver sees it.
//
// The rule follows OpenCL's order and nothing else:
//  - a command waits for the events of its wait list, and for what they wait for;
//  - on an in-order queue, also for every command before it;
//  - on an out-of-order queue, also for the barriers before it; a marker or barrier without a wait list, for everything
//    before it;
//  - PoCL waits for more: its markers and barriers for everything before them even if they have a wait list, and its
//    blocking commands for the whole queue;
//  - NVIDIA's driver runs an out-of-order queue in order: a command behind one that waits was seen to wait, too;
//  - clFinish waits for every command of the queue.
// Gates of other threads, user events whose pointer other code has, and adopted events never lead to a refusal: they
// may end while this thread is blocked.
//
// Nothing is recorded while no gate is pending. While one is, every command passes through held_events.cc, which calls
// noteCommand(). Of the host functions that a command waits for, only those are kept that no other one of them waits
// for, so that ten thousand in a row cost as much as one.
#pragma once

#include <string>
#include <vector>

#include "driver/loader.h"

namespace cl {

/// How a command stands to others of its queue.
enum class Order { Plain, Marker, Barrier };

/// A command that is about to be enqueued, or was.
struct Command {
  cl_command_queue queue;
  cl_uint waits;
  const cl_event* waitFor;
  Order order;
};

/// Whether anything is recorded: one load where nothing is.
bool gatesPending();

/// A host function of this thread is pending from here on, until gateEnds(): commands that wait for `user` wait for
/// it. It runs after `before` and `waitFor`.
void functionBegins(const Runtime& runtime, cl_event user, cl_event before, const std::vector<cl_event>& waitFor,
                    std::string label);
/// A user event of this thread is pending from here on, until gateEnds().
void userEventBegins(cl_event user);
/// Other code has got the event's pointer and may end it on any thread.
void userEventShared(cl_event user);
/// To be called with every user event that ends.
void gateEnds(cl_event user);

/// A command was enqueued, with this event or null.
void noteCommand(const Runtime& runtime, const Command& command, cl_event event);
/// A new queue, whose address may have been another's.
void forgetQueue(cl_command_queue queue);
/// An event that was given back, or a new user event, whose address may have been another's.
void forgetEvent(cl_event event);

/// A user event of our own ends only after another event; to be called when it has been made.
void eventFollows(cl_event event, cl_event earlier);

/// These throw DEADLOCK or DEADLOCK_USER_EVENT if the call would block this thread for one of its own gates: enqueueing
/// a command and waiting for its event, a command that blocks itself, clFinish, and clWaitForEvents.
void refuseToAwait(const Runtime& runtime, const char* routine, const Command& command);
void refuseToBlock(const Runtime& runtime, const char* routine, const Command& command);
void refuseToFinish(const char* routine, cl_command_queue queue);
void refuseToWait(const Runtime& runtime, const char* routine, cl_uint count, const cl_event* events);

/// What may keep the commands of a queue from running.
enum class Hold {
  /// Nothing but the device.
  Nothing,
  /// A gate of another thread or library, or something that is not recorded.
  Others,
  /// A gate that only this thread can end.
  ThisThread
};
Hold holdOf(cl_command_queue queue);
/// From here on commands may wait for something that is not recorded: an adopted event, or a semaphore.
void noteUnknownWaits();

/// Whether an event waits for a host function.
bool waitsForFunction(cl_event event, cl_event user);

}  // namespace cl
