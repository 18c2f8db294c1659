// Shared virtual memory by handle.
#pragma once

#include "napi/call.h"
#include "objects/svm_memory.h"

namespace cl {

/// Detaches the ArrayBuffer at the position, so that JavaScript cannot access the memory. Returns false if it was
/// transferred away: the new owner then shares the memory.
bool detachSvm(Call& call, const Slot& svm, size_t position);
/// Returns the slot of the allocation at position i. Throws unless it belongs to the context.
const Slot& svmSlot(Call& call, size_t i, void* context);
/// Returns the block of a handle.
const std::shared_ptr<SvmMemory>& svmOf(const Slot& svm);
/// Returns the address at an offset. Throws with the argument's position unless the range is inside the allocation.
uint8_t* svmPointer(const Slot& svm, size_t offset, size_t bytes, int position);

}  // namespace cl
