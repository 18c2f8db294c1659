// Commands on lists of memory objects or pointers: migrating, acquiring and releasing external memory, freeing SVM.
//
// NVIDIA's driver (580) does not copy such a list. One of its threads reads it when the command runs and again after
// the command has completed, to release the objects. No event reports the end of the second read. Freeing the list on
// completion crashed or hung 8 of 12 processes when six at a time shared one GPU.
//
// So every list here has one element, in a copy that is never changed or freed. Equal elements share a copy, which
// bounds the memory to a few bytes per distinct address.
#pragma once

#include <functional>

#include "objects/queue.h"

namespace cl {

/// Returns a copy of `value` at an address that stays valid and unchanged until the process ends. Any thread.
uintptr_t* permanentCopy(uintptr_t value);

/// Like permanentCopy(), for a pointer or handle as a list of one element.
template <typename T>
T** permanentList(T* element) {
  return reinterpret_cast<T**>(permanentCopy(reinterpret_cast<uintptr_t>(element)));
}

/// Enqueues the i-th command of enqueueEach().
using EnqueueOne = std::function<void(size_t i, cl_uint waitCount, const cl_event* waitFor, cl_event* event)>;

/// Enqueues one command for each of `count` elements. All of them wait for `waitFor`. Returns one event for all, or
/// undefined unless `wantEvent`.
Napi::Value enqueueEach(Call& call, const Slot& queue, size_t count, const std::vector<cl_event>& waitFor,
                        bool wantEvent, const EnqueueOne& enqueueOne);

}  // namespace cl
