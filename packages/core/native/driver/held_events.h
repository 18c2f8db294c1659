// While any user event of this process is open, this layer holds a reference to every command's event, whether the
// caller requested the event or not, for three reasons:
//  - PoCL 3.1 releases the event of a failing command and then locks it again. If that was the last reference, the
//    process aborts. (PoCL 7.1 holds a reference itself.) A command fails when a user event fails that it waits for,
//    directly or through earlier commands of its queue. After a failure the events are held 200 ms longer, since driver
//    threads may still be ending the dependents.
//  - dependencies.h records commands by their events, whose addresses must not be reused meanwhile.
//  - Their number tells how large a stack a failure needs.
//
// The hooks are installed in a runtime's table of entry points when its first user event is created; programs without
// user events pay nothing. They also report every command to dependencies.h and check the calls that block.
//
// All functions may be called from any thread.
#pragma once

#include <vector>

#include "driver/loader.h"

namespace cl {

/// Reports a command that was enqueued by an extension's function, which has no hook. `event` may be null.
void noteExtensionCommand(const Runtime& runtime, cl_command_queue queue, const std::vector<cl_event>& waitFor,
                          cl_event event);
/// Reports a new user event. Call it before anything can wait for the event.
void userEventOpens(const Runtime& runtime, cl_event event);
/// Sets a user event's status and returns the driver's status. All user events must be ended through this function.
cl_int endUserEvent(const Runtime& runtime, cl_event event, cl_int status);
/// Reports that a user event has been completed or failed.
void userEventEnded(cl_event event);
/// Releases a failed event once the driver's threads have finished with it. Takes ownership of the reference.
void releaseLater(const Runtime& runtime, cl_event event);
/// Releases the events that were held long enough after a failure. Returns whether any are left.
bool releaseHeldEvents();
/// Waits until the events that are held after a failure were held long enough, and releases them. Called when an
/// environment ends: it cannot tell its events from those of others.
void releaseHeldEventsInTime();

}  // namespace cl
