// Shared virtual memory: allocations, the commands on it, and what kernels are told of it.
#pragma once

#include "napi/call.h"
#include "objects/svm_memory.h"

namespace cl {

/// Takes the memory from JavaScript, whose ArrayBuffer is the argument at the position. False if somebody has
/// transferred it away: then its new owner has a share.
bool takeBackSvm(Call& call, const Slot& svm, size_t position);
/// The slot of shared virtual memory at position i, which must belong to the context.
const Slot& svmSlot(Call& call, size_t i, void* context);
/// The block behind a handle.
const std::shared_ptr<SvmMemory>& svmOf(const Slot& svm);
/// Where so many bytes begin in it; throws, with the argument's position, if they are not inside.
uint8_t* svmPlace(const Slot& svm, size_t offset, size_t bytes, int position);

}  // namespace cl
