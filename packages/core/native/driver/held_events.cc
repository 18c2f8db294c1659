#include "driver/held_events.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <tuple>
#include <type_traits>
#include <vector>

#include "driver/dependencies.h"
#include "driver/event_status.h"

#ifndef _WIN32
#include <pthread.h>
#endif

namespace cl {
namespace {

struct Held {
  const Runtime* runtime;
  cl_event event;
};

using Clock = std::chrono::steady_clock;

/// How long other threads of the driver may still be ending what failed.
constexpr std::chrono::milliseconds kLinger{200};

/// What was held when a user event failed.
struct Lingering {
  std::vector<Held> events;
  Clock::time_point until;
};

/// Leaked on purpose: threads may still enqueue while the process exits.
struct Holder {
  std::atomic<int> openUserEvents{0};
  /// True if one of them has failed since there was none.
  std::atomic<bool> failed{false};
  std::mutex mutex;
  std::vector<Held> events;
  std::vector<Lingering> lingering;
  /// At this many, those that have ended are given back.
  size_t limit = 1024;
};

Holder& holder() {
  static auto* instance = new Holder();
  return *instance;
}

bool hasEnded(const Held& held) { return statusOf(*held.runtime, held.event, CL_COMPLETE) <= CL_COMPLETE; }

void giveBack(const std::vector<Held>& events) {
  for (const Held& held : events) {
    forgetEvent(held.event);
    held.runtime->clReleaseEvent.quietly(held.event);
  }
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

/// The position of an argument that says whether a call blocks, where there is none.
constexpr size_t kNever = ~size_t{0};

/// Stands before one entry point, which has an event among its arguments, at the given distance from the last, and
/// before that its wait list.
template <auto Member, size_t Blocking, size_t FromEnd, typename Function>
struct Holding;

template <auto Member, size_t Blocking, size_t FromEnd, typename Result, typename... Arguments>
struct Holding<Member, Blocking, FromEnd, Result(CL_API_CALL*)(Arguments...)> {
  static inline Result(CL_API_CALL* driver)(Arguments...) = nullptr;

  static Result CL_API_CALL call(Arguments... values) {
    if (holder().openUserEvents.load(std::memory_order_relaxed) == 0) return driver(values...);
    std::tuple<Arguments...> arguments(values...);
    constexpr size_t last = sizeof...(Arguments) - 1 - FromEnd;
    const Command command{std::get<0>(arguments), std::get<last - 2>(arguments), std::get<last - 1>(arguments), order};
    if constexpr (Blocking != kNever) {
      if (std::get<Blocking>(arguments) != CL_FALSE)
        refuseToBlock(*holdingRuntime, (holdingRuntime->*Member).name, command);
    }
    cl_event*& wanted = std::get<last>(arguments);
    const bool asked = wanted != nullptr;
    cl_event event = nullptr;
    if (!asked) wanted = &event;
    const Result result = std::apply(driver, arguments);
    if (!succeeded(result) || *wanted == nullptr) return result;
    if (gatesPending()) noteCommand(*holdingRuntime, command, *wanted);
    // Without a reference of our own there is nothing to give back later.
    if (asked && holdingRuntime->clRetainEvent(*wanted) != CL_SUCCESS) return result;
    hold(*holdingRuntime, *wanted);
    return result;
  }

 private:
  static constexpr bool is(auto other) {
    if constexpr (std::is_same_v<decltype(other), decltype(Member)>) return other == Member;
    return false;
  }
  static constexpr Order order = is(&Runtime::clEnqueueMarkerWithWaitList)    ? Order::Marker
                                 : is(&Runtime::clEnqueueBarrierWithWaitList) ? Order::Barrier
                                                                              : Order::Plain;
};

/// Puts a function of ours in the place of a driver's.
template <typename Function>
void replace(Entry<Function>& entry, Function& driver, Function ours) {
  if (entry.function == nullptr) return;
  driver = entry.function;
  // Other threads may be calling: they find the one function or the other.
  std::atomic_ref(entry.function).store(ours);
}

template <auto Member, size_t Blocking = kNever, size_t FromEnd = 0>
void install(Runtime& runtime) {
  auto& entry = runtime.*Member;
  using Hook = Holding<Member, Blocking, FromEnd, decltype(entry.function)>;
  replace(entry, Hook::driver, &Hook::call);
}

decltype(&::clFinish) driverFinish = nullptr;
decltype(&::clWaitForEvents) driverWaitForEvents = nullptr;

cl_int CL_API_CALL finish(cl_command_queue queue) {
  refuseToFinish("clFinish", queue);
  return driverFinish(queue);
}

cl_int CL_API_CALL waitForEvents(cl_uint count, const cl_event* events) {
  refuseToWait(*holdingRuntime, "clWaitForEvents", count, events);
  return driverWaitForEvents(count, events);
}

void installAll(Runtime& runtime) {
  holdingRuntime = &runtime;
  replace(runtime.clFinish, driverFinish, &finish);
  replace(runtime.clWaitForEvents, driverWaitForEvents, &waitForEvents);
  install<&Runtime::clEnqueueReadBuffer, 2>(runtime);
  install<&Runtime::clEnqueueReadBufferRect, 2>(runtime);
  install<&Runtime::clEnqueueWriteBuffer, 2>(runtime);
  install<&Runtime::clEnqueueWriteBufferRect, 2>(runtime);
  install<&Runtime::clEnqueueFillBuffer>(runtime);
  install<&Runtime::clEnqueueCopyBuffer>(runtime);
  install<&Runtime::clEnqueueCopyBufferRect>(runtime);
  install<&Runtime::clEnqueueReadImage, 2>(runtime);
  install<&Runtime::clEnqueueWriteImage, 2>(runtime);
  install<&Runtime::clEnqueueFillImage>(runtime);
  install<&Runtime::clEnqueueCopyImage>(runtime);
  install<&Runtime::clEnqueueCopyImageToBuffer>(runtime);
  install<&Runtime::clEnqueueCopyBufferToImage>(runtime);
  install<&Runtime::clEnqueueMapBuffer, 2, 1>(runtime);
  install<&Runtime::clEnqueueMapImage, 2, 1>(runtime);
  install<&Runtime::clEnqueueUnmapMemObject>(runtime);
  install<&Runtime::clEnqueueMigrateMemObjects>(runtime);
  install<&Runtime::clEnqueueNDRangeKernel>(runtime);
  install<&Runtime::clEnqueueNativeKernel>(runtime);
  install<&Runtime::clEnqueueMarkerWithWaitList>(runtime);
  install<&Runtime::clEnqueueBarrierWithWaitList>(runtime);
  install<&Runtime::clEnqueueSVMFree>(runtime);
  install<&Runtime::clEnqueueSVMMemcpy, 1>(runtime);
  install<&Runtime::clEnqueueSVMMemFill>(runtime);
  install<&Runtime::clEnqueueSVMMap, 1>(runtime);
  install<&Runtime::clEnqueueSVMUnmap>(runtime);
  install<&Runtime::clEnqueueSVMMigrateMem>(runtime);
}

/// Fails an event where there is room for it. PoCL fails what waits for an event, and what waits for that, by calls
/// within calls: a hundred thousand commands behind one user event need more than a thread's usual stack.
void failWithRoom(const Runtime& runtime, cl_event event, cl_int& status) {
  constexpr size_t kFew = 1000;
  constexpr size_t kStackForOne = 1024;
  const auto fail = [&] { status = runtime.clSetUserEventStatus(event, status); };
  size_t behind = 0;
  {
    const std::lock_guard lock(holder().mutex);
    behind = holder().events.size();
  }
#ifndef _WIN32
  pthread_attr_t attributes;
  if (behind > kFew && pthread_attr_init(&attributes) == 0) {
    // Only what is used of it becomes memory.
    pthread_attr_setstacksize(&attributes, (size_t{8} << 20) + behind * kStackForOne);
    pthread_t thread;
    const int refused = pthread_create(
        &thread, &attributes,
        [](void* work) -> void* {
          (*static_cast<decltype(fail)*>(work))();
          return nullptr;
        },
        const_cast<void*>(static_cast<const void*>(&fail)));
    pthread_attr_destroy(&attributes);
    if (refused == 0) {
      pthread_join(thread, nullptr);
      return;
    }
  }
#endif
  fail();
}

}  // namespace

void noteExtensionCommand(const Runtime& runtime, cl_command_queue queue, const std::vector<cl_event>& waitFor,
                          cl_event event) {
  if (holder().openUserEvents.load(std::memory_order_relaxed) == 0) return;
  if (gatesPending())
    noteCommand(runtime, {queue, static_cast<cl_uint>(waitFor.size()), waitFor.data(), Order::Plain}, event);
  if (event != nullptr && runtime.clRetainEvent(event) == CL_SUCCESS) hold(runtime, event);
}

void userEventOpens(const Runtime& runtime, cl_event event) {
  static std::once_flag once;
  std::call_once(once, [&] { installAll(const_cast<Runtime&>(runtime)); });
  forgetEvent(event);
  holder().openUserEvents.fetch_add(1);
}

cl_int endUserEvent(const Runtime& runtime, cl_event event, cl_int status) {
  // Another thread could tell nobody.
  runtime.clSetUserEventStatus.require();
  if (status >= 0) return runtime.clSetUserEventStatus(event, status);
  holder().failed.store(true);
  failWithRoom(runtime, event, status);
  return status;
}

void userEventEnded(cl_event event) {
  gateEnds(event);
  Holder& self = holder();
  std::vector<Held> events;
  {
    // What waits for a user event that opens from here on is held after this.
    const std::lock_guard lock(self.mutex);
    if (self.openUserEvents.fetch_sub(1) != 1) return;
    events.swap(self.events);
    if (self.failed.exchange(false)) {
      self.lingering.push_back({std::move(events), Clock::now() + kLinger});
      return;
    }
  }
  giveBack(events);
}

void releaseLater(const Runtime& runtime, cl_event event) {
  Holder& self = holder();
  const std::lock_guard lock(self.mutex);
  self.lingering.push_back({{{&runtime, event}}, Clock::now() + kLinger});
}

bool giveBackLingering(bool all) {
  Holder& self = holder();
  std::vector<Held> events;
  bool more = false;
  {
    const std::lock_guard lock(self.mutex);
    const auto now = Clock::now();
    // The oldest come first.
    auto first = self.lingering.begin();
    for (; first != self.lingering.end() && (all || first->until <= now); ++first) {
      events.insert(events.end(), first->events.begin(), first->events.end());
    }
    self.lingering.erase(self.lingering.begin(), first);
    more = !self.lingering.empty();
  }
  giveBack(events);
  return more;
}

}  // namespace cl
