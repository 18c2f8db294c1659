// PoCL ends a command that fails by giving its event back and then locking it once more. If that was the last
// reference, the process aborts: PoCL 3.1 does so, and by their sources later ones too. A command fails there when a
// user event that it waits for, by itself or behind other commands of its queue, is failed.
//
// So while any user event of this process is open, every command's event is held here, whether somebody asked for it or
// not; and where one has failed a while longer, since other threads of the driver may still be ending what waited for
// it, behind a command that ran at that moment. The hold is put into the table of entry points when the first user
// event is made; who makes none pays nothing.
//
// The same place tells dependencies.h of every command, and stands before the calls that block.
#pragma once

#include <vector>

#include "driver/loader.h"

namespace cl {

/// To be called when a command was enqueued by an entry point of an extension, which is not in the table; the event may
/// be null.
void noteExtensionCommand(const Runtime& runtime, cl_command_queue queue, const std::vector<cl_event>& waitFor,
                          cl_event event);
/// To be called when a user event has been made, before anything can wait for it.
void userEventOpens(const Runtime& runtime, cl_event event);
/// Completes or fails a user event, and gives the driver's status: all of them end through this.
cl_int endUserEvent(const Runtime& runtime, cl_event event, cl_int status);
/// To be called when a user event has been completed or failed.
void userEventEnded(cl_event event);
/// Releases an event that has failed once the driver's threads are done with it. Takes the reference.
void releaseLater(const Runtime& runtime, cl_event event);
/// Gives back what was held for a failure long enough, or all of it. True if there is more.
bool giveBackLingering(bool all);

}  // namespace cl
