// Commands that transfer buffers: read, write, copy, their rectangle forms, fill, migrate.
#pragma once

#include "commands/pending_reads.h"
#include "objects/queue.h"

namespace cl {

/// Finishes a command that uses host memory: pins the memory unless the command blocked, and returns the event's
/// handle. `written` is the part of the host memory that the command writes.
Napi::Value finishTransfer(Call& call, const Slot& queue, bool blocking, const HostBytes& host,
                           const OptionalEvent& event, HostRange written = {});

/// Returns the memory object at position i for a command on the queue. Throws if it belongs to another context.
Slot memory(Call& call, size_t i, const Slot& queue);

}  // namespace cl
