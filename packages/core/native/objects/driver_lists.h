// Commands on lists of memory objects or pointers: migrate, acquire and release external memory, free and migrate SVM.
//
// NVIDIA's driver (580) does not copy such a list. Its own thread reads the list when the command runs and once more
// after the command has completed, to release the objects. No event tells when that second read is over. A list that
// was freed on completion crashed or hung 8 of 12 processes when six at a time shared one GPU.
//
// So every list here has one element, and its copy is never changed and never freed. Equal elements share a copy, which
// bounds the memory by the number of different addresses: a few bytes for each address that an object ever had.
#pragma once

#include <functional>

#include "objects/queue.h"

namespace cl {

/// A copy of `value` at an address that stays valid and unchanged until the process ends.
uintptr_t* permanentCopy(uintptr_t value);

/// The same for a pointer or a handle, as a list of one element.
template <typename T>
T** permanentList(T* element) {
  return reinterpret_cast<T**>(permanentCopy(reinterpret_cast<uintptr_t>(element)));
}

/// One command of enqueueEach(): the i-th of them.
using EnqueueOne = std::function<void(size_t i, cl_uint waitCount, const cl_event* waitFor, cl_event* event)>;

/// Enqueues a command for each of `count` elements. They all wait for `waitFor`. Returns one event for all of them, or
/// undefined unless `wantEvent`.
Napi::Value enqueueEach(Call& call, const Slot& queue, size_t count, const std::vector<cl_event>& waitFor,
                        bool wantEvent, const EnqueueOne& enqueueOne);

}  // namespace cl
