#include "held_events.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <tuple>
#include <vector>

namespace cl {
namespace {

struct Held {
  const Runtime* runtime;
  cl_event event;
};

/// Leaked on purpose: threads may still enqueue while the process exits.
struct Holder {
  std::atomic<int> openUserEvents{0};
  std::mutex mutex;
  std::vector<Held> events;
  /// At this many, those that have ended are given back.
  size_t limit = 1024;
};

Holder& holder() {
  static auto* instance = new Holder();
  return *instance;
}

bool hasEnded(const Held& held) {
  cl_int status = CL_COMPLETE;
  held.runtime->clGetEventInfo.quietly(held.event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return status <= CL_COMPLETE;
}

void giveBack(const std::vector<Held>& events) {
  for (const Held& held : events) held.runtime->clReleaseEvent.quietly(held.event);
}

/// Takes a reference over.
void hold(const Runtime& runtime, cl_event event) {
  Holder& self = holder();
  std::vector<Held> ended;
  {
    const std::lock_guard lock(self.mutex);
    self.events.push_back({&runtime, event});
    if (self.events.size() < self.limit) return;
    const auto middle =
        std::stable_partition(self.events.begin(), self.events.end(), [](const Held& one) { return !hasEnded(one); });
    ended.assign(middle, self.events.end());
    self.events.erase(middle, self.events.end());
    self.limit = std::max<size_t>(1024, 2 * self.events.size());
  }
  giveBack(ended);
}

const Runtime* holdingRuntime = nullptr;

bool succeeded(cl_int status) { return status == CL_SUCCESS; }
bool succeeded(const void* mapped) { return mapped != nullptr; }

/// Stands before one entry point, which has an event among its arguments, at the given distance from the last.
template <auto Member, size_t FromEnd, typename Function>
struct Holding;

template <auto Member, size_t FromEnd, typename Result, typename... Arguments>
struct Holding<Member, FromEnd, Result(CL_API_CALL*)(Arguments...)> {
  static inline Result(CL_API_CALL* driver)(Arguments...) = nullptr;

  static Result CL_API_CALL call(Arguments... values) {
    if (holder().openUserEvents.load(std::memory_order_relaxed) == 0) return driver(values...);
    std::tuple<Arguments...> arguments(values...);
    cl_event*& wanted = std::get<sizeof...(Arguments) - 1 - FromEnd>(arguments);
    const bool asked = wanted != nullptr;
    cl_event event = nullptr;
    if (!asked) wanted = &event;
    const Result result = std::apply(driver, arguments);
    if (!succeeded(result) || *wanted == nullptr) return result;
    // Without a reference of our own there is nothing to give back later.
    if (asked && holdingRuntime->clRetainEvent(*wanted) != CL_SUCCESS) return result;
    hold(*holdingRuntime, *wanted);
    return result;
  }
};

template <auto Member, size_t FromEnd = 0>
void install(Runtime& runtime) {
  auto& entry = runtime.*Member;
  using Hook = Holding<Member, FromEnd, decltype(entry.function)>;
  if (entry.function == nullptr) return;
  Hook::driver = entry.function;
  // Other threads may be calling: they find the one function or the other.
  std::atomic_ref(entry.function).store(&Hook::call);
}

void installAll(Runtime& runtime) {
  holdingRuntime = &runtime;
  install<&Runtime::clEnqueueReadBuffer>(runtime);
  install<&Runtime::clEnqueueReadBufferRect>(runtime);
  install<&Runtime::clEnqueueWriteBuffer>(runtime);
  install<&Runtime::clEnqueueWriteBufferRect>(runtime);
  install<&Runtime::clEnqueueFillBuffer>(runtime);
  install<&Runtime::clEnqueueCopyBuffer>(runtime);
  install<&Runtime::clEnqueueCopyBufferRect>(runtime);
  install<&Runtime::clEnqueueReadImage>(runtime);
  install<&Runtime::clEnqueueWriteImage>(runtime);
  install<&Runtime::clEnqueueFillImage>(runtime);
  install<&Runtime::clEnqueueCopyImage>(runtime);
  install<&Runtime::clEnqueueCopyImageToBuffer>(runtime);
  install<&Runtime::clEnqueueCopyBufferToImage>(runtime);
  install<&Runtime::clEnqueueMapBuffer, 1>(runtime);
  install<&Runtime::clEnqueueMapImage, 1>(runtime);
  install<&Runtime::clEnqueueUnmapMemObject>(runtime);
  install<&Runtime::clEnqueueMigrateMemObjects>(runtime);
  install<&Runtime::clEnqueueNDRangeKernel>(runtime);
  install<&Runtime::clEnqueueNativeKernel>(runtime);
  install<&Runtime::clEnqueueMarkerWithWaitList>(runtime);
  install<&Runtime::clEnqueueBarrierWithWaitList>(runtime);
  install<&Runtime::clEnqueueSVMFree>(runtime);
  install<&Runtime::clEnqueueSVMMemcpy>(runtime);
  install<&Runtime::clEnqueueSVMMemFill>(runtime);
  install<&Runtime::clEnqueueSVMMap>(runtime);
  install<&Runtime::clEnqueueSVMUnmap>(runtime);
  install<&Runtime::clEnqueueSVMMigrateMem>(runtime);
}

}  // namespace

void userEventOpens(const Runtime& runtime) {
  static std::once_flag once;
  std::call_once(once, [&] { installAll(const_cast<Runtime&>(runtime)); });
  holder().openUserEvents.fetch_add(1);
}

void userEventEnded() {
  Holder& self = holder();
  std::vector<Held> events;
  {
    // What waits for a user event that opens from here on is held after this.
    const std::lock_guard lock(self.mutex);
    if (self.openUserEvents.fetch_sub(1) != 1) return;
    events.swap(self.events);
  }
  giveBack(events);
}

}  // namespace cl
