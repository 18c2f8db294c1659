// Event callbacks, and the host memory that must stay alive until they arrive.
//
// PoCL 3.1 calls back for an event that completes, but never for one that fails, because it compares the callback's
// stage with the event's status. A watch that only its callback could free would leak with the memory that it pins.
// Watches are therefore kept in a process-wide table, and the driver only gets a key. Taking a watch out of the table
// transfers its ownership, to the callback or to a sweep that found the event failed. A late callback finds no entry
// and does nothing.
//
// Sweeps query events, so the table holds a reference to each. They run when a user event has failed, when the number
// of watches has doubled, and when an environment ends.
//
// NVIDIA's driver gets no callbacks; see waiters.h. All functions may be called from any thread.
#pragma once

#include <functional>
#include <memory>

#include "driver/loader.h"

namespace cl {

class Channel;

/// What happens when an event has ended.
struct Watch {
  /// Receives the status under `id`, unless that is 0.
  std::shared_ptr<Channel> channel;
  double id = 0;
  /// Receives the status, on any thread, if there is one.
  std::function<void(cl_int)> onEnd = {};
  /// Dropped at the end.
  std::shared_ptr<void> pin = {};
};

/// Ends the watch when the event reaches the stage or fails. Throws if the driver does not accept a callback.
void watchEvent(const Runtime& runtime, cl_event event, cl_int stage, Watch watch);

/// Ends the watches of events that have failed.
void endFailedWatches();

/// Ends the watches of a channel whose events have ended. Called at the teardown of the channel's environment.
void endWatchesOf(const Channel& channel);

}  // namespace cl
