#include "objects/driver_lists.h"

#include <mutex>
#include <unordered_set>

#include "objects/event.h"
#include "objects/queue_record.h"

namespace cl {

uintptr_t* permanentCopy(uintptr_t value) {
  static std::mutex mutex;
  // Leaked on purpose: driver threads may still read it during exit. Elements of an unordered_set never move.
  static auto* copies = new std::unordered_set<uintptr_t>();
  const std::lock_guard lock(mutex);
  return const_cast<uintptr_t*>(&*copies->insert(value).first);
}

Napi::Value enqueueEach(Call& call, const Slot& queue, size_t count, const std::vector<cl_event>& waitFor,
                        bool wantEvent, const EnqueueOne& enqueueOne) {
  OptionalEvent last(wantEvent);
  if (count == 1 || !wantEvent || queueRecord(queue).inOrder) {
    for (size_t i = 0; i < count; ++i)
      enqueueOne(i, size(waitFor), data(waitFor), i + 1 == count ? last.address() : nullptr);
    return last.result(call, queue);
  }
  OwnedEvents each(*queue.runtime);
  for (size_t i = 0; i < count; ++i) {
    cl_event event = nullptr;
    enqueueOne(i, size(waitFor), data(waitFor), &event);
    each.list.push_back(event);
  }
  check(queue.runtime->clEnqueueMarkerWithWaitList(queue.as<cl_command_queue>(), size(each.list), data(each.list),
                                                   last.address()),
        "clEnqueueMarkerWithWaitList");
  return last.result(call, queue);
}

}  // namespace cl
