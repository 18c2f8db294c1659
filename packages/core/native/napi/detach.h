// Detaching ArrayBuffers from memory that a driver takes back.
#pragma once

#include "napi/call.h"

namespace cl {

/// Returns whether the argument is the attached ArrayBuffer over this memory; false if it has been transferred away.
/// Throws INVALID for anything else.
bool isAttached(const Call& call, size_t position, const void* memory);

/// Detaches the ArrayBuffer at the position, which empties every view over it. Returns false if it cannot be detached.
/// Calls ArrayBuffer.prototype.transfer if JavaScript has it: Node-API's function ends the process for memory that is
/// marked as untransferable (Node 24 and later).
bool detach(const Call& call, size_t position);

/// Stores ArrayBuffer.prototype.transfer for detach(), because a program may override it later; detach() would then run
/// that program's code and leave the memory reachable.
void captureTransfer(Call& call);

}  // namespace cl
