// Event callbacks, and the host memory that must stay alive until they arrive.
//
// PoCL calls back for an event that completes, but never for one that fails: it compares the callback's stage with the
// event's status. A watch that only its callback could free would then never be freed, nor the memory that it
// pins. So the watches are kept in a table of this process, and the driver gets only a key. Whoever takes the watch out
// of the table owns it: the callback, or a sweep that found its event failed. A callback that arrives later finds
// nothing, which is harmless.
//
// A sweep asks for the status of events, so the table holds a reference to each. NVIDIA's driver gets no callbacks; see
// waiters.h.
//
// Sweeps run when a user event has failed, when the number of watches has doubled, and when an environment ends.
#pragma once

#include <memory>

#include "driver/loader.h"

namespace cl {

class Channel;

/// What to do when an event has ended.
struct Watch {
  /// Told of the end under `id`, unless that is 0.
  std::shared_ptr<Channel> channel;
  double id = 0;
  /// Freed at the end.
  std::shared_ptr<void> pin;
};

/// Ends the watch when the event reaches the stage or fails. Throws if the driver takes no callback.
void watchEvent(const Runtime& runtime, cl_event event, cl_int stage, Watch watch);

/// Ends the watches of events that have failed.
void endFailedWatches();

/// Ends the watches of a channel whose events have completed or failed, because the channel's environment ends.
void endWatchesOf(const Channel& channel);

}  // namespace cl
