// Which commands wait, by themselves or behind others, for a host function: a JavaScript function that runs when its
// turn in a queue comes (host_function.h). It runs on the thread that enqueued it, so a call that blocks this thread
// until the function has run would never return. Such a call is refused before the driver sees it.
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
// User events that the program completes are not looked at: another thread or library may complete them.
//
// Nothing is recorded while no host function is pending. While one is, every command passes through held_events.cc,
// which tells of it here. Of all the functions that a command waits for only those are kept that no other one of them
// waits for, so that ten thousand in a row cost as much as one.
#pragma once

#include <string>
#include <vector>

#include "loader.h"

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
bool functionsPending();

/// A host function of this thread is pending from here on, until functionEnds(): commands that wait for `user` wait for
/// it. It runs after `before` and `waitFor`.
void functionBegins(const Runtime& runtime, cl_event user, cl_event before, const std::vector<cl_event>& waitFor,
                    std::string label);
/// To be called with every user event that ends.
void functionEnds(cl_event user);

/// A command was enqueued, with this event or null.
void noteCommand(const Runtime& runtime, const Command& command, cl_event event);
/// A new queue, whose address may have been another's.
void forgetQueue(cl_command_queue queue);
/// An event that was given back, or a new user event, whose address may have been another's.
void forgetEvent(cl_event event);

/// A user event of our own ends only after another event; to be called when it has been made.
void eventFollows(cl_event event, cl_event earlier);

/// These throw DEADLOCK if the call would block this thread for one of its own host functions: enqueueing a command and
/// waiting for its event, a command that blocks itself, clFinish, and clWaitForEvents.
void refuseToAwait(const Runtime& runtime, const char* routine, const Command& command);
void refuseToBlock(const Runtime& runtime, const char* routine, const Command& command);
void refuseToFinish(const char* routine, cl_command_queue queue);
void refuseToWait(const Runtime& runtime, const char* routine, cl_uint count, const cl_event* events);

/// Whether an event waits for a host function.
bool waitsForFunction(cl_event event, cl_event user);

}  // namespace cl
