// Taking memory away from an ArrayBuffer.
#pragma once

#include "napi/call.h"

namespace cl {

/// Whether the argument at the position is the ArrayBuffer over this memory; false if somebody has transferred the
/// memory away. Throws INVALID for anything else.
bool isOver(const Call& call, size_t position, const void* memory);

/// Empties the ArrayBuffer at the position and every view over it; false if it cannot be detached. Node-API's own call
/// ends the process for memory that was marked as untransferable (from Node 24 on), so it is used only where JavaScript
/// has no ArrayBuffer.prototype.transfer.
bool detach(const Call& call, size_t position);

/// Keeps ArrayBuffer.prototype.transfer for detach(). A program may override it later: detach() would then run code of
/// that program and leave the memory reachable.
void captureTransfer(Call& call);

}  // namespace cl
