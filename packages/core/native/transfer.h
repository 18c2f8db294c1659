// Commands that move bytes: read, write, copy, their rectangles, fill, migrate.
#pragma once

#include "queue.h"

namespace cl {

/// The end of a command that touches host memory: pins it unless the command blocked, and gives the event.
napi_value pinned(Call& call, const Slot& queue, bool blocking, const HostBytes& host, const WantedEvent& event);

/// The memory object at position i, of the queue's context, for a command that is about to use it.
Slot memory(Call& call, size_t i, const Slot& queue);

void addTransferExports(Exports& exports);

}  // namespace cl
