// Commands that move bytes: read, write, copy, their rectangles, fill, migrate.
#pragma once

#include "commands/pending_reads.h"
#include "objects/queue.h"

namespace cl {

/// The end of a command that touches host memory: pins it unless the command blocked, and gives the event. `written` is
/// what the command writes of it.
Napi::Value pinned(Call& call, const Slot& queue, bool blocking, const HostBytes& host, const WantedEvent& event,
                   HostRange written = {});

/// The memory object at position i, of the queue's context, for a command that is about to use it.
Slot memory(Call& call, size_t i, const Slot& queue);

}  // namespace cl
