#include "driver/held_events.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "driver/dependencies.h"
#include "driver/event_status.h"

#ifndef _WIN32
#include <pthread.h>
#endif

namespace cl {
namespace {

struct HeldEvent {
  const Runtime* runtime;
  cl_event event;
};

using Clock = std::chrono::steady_clock;

/// How long failed events are held, because driver threads may still be ending the commands that waited for them.
constexpr std::chrono::milliseconds kLinger{200};

/// The events that were held when a user event failed.
struct Lingering {
  std::vector<HeldEvent> events;
  Clock::time_point until;
};

/// Leaked on purpose: threads may still enqueue while the process exits.
struct Holder {
  std::atomic<int> openUserEvents{0};
  /// One of the open user events has failed. Cleared when none is open.
  std::atomic<bool> failed{false};
  std::mutex mutex;
  std::vector<HeldEvent> events;
  std::vector<Lingering> lingering;
  /// Number of events from which those that have ended are released.
  size_t limit = 1024;
};

Holder& holder() {
  static auto* instance = new Holder();
  return *instance;
}

bool hasEnded(const HeldEvent& held) { return statusOf(*held.runtime, held.event, CL_COMPLETE) <= CL_COMPLETE; }

void releaseEvents(const std::vector<HeldEvent>& events) {
  for (const HeldEvent& held : events) {
    forgetEvent(held.event);
    held.runtime->clReleaseEvent.quietly(held.event);
  }
}

/// Holds an event. Takes ownership of the reference.
void hold(const Runtime& runtime, cl_event event) {
  Holder& self = holder();
  std::vector<HeldEvent> ended;
  {
    const std::lock_guard lock(self.mutex);
    self.events.push_back({&runtime, event});
    if (self.events.size() < self.limit) return;
    const auto middle = std::stable_partition(self.events.begin(), self.events.end(),
                                              [](const HeldEvent& one) { return !hasEnded(one); });
    ended.assign(middle, self.events.end());
    self.events.erase(middle, self.events.end());
    self.limit = std::max<size_t>(1024, 2 * self.events.size());
  }
  releaseEvents(ended);
}

/// The runtimes whose entry points were replaced, by their numbers.
Runtime* hooked[kMaxRuntimes] = {};

bool succeeded(cl_int status) { return status == CL_SUCCESS; }
bool succeeded(const void* mapped) { return mapped != nullptr; }

template <auto Member>
constexpr Order orderOf() {
  if constexpr (std::is_same_v<decltype(Member), decltype(&Runtime::clEnqueueMarkerWithWaitList)>) {
    if (Member == &Runtime::clEnqueueMarkerWithWaitList) return Order::Marker;
    if (Member == &Runtime::clEnqueueBarrierWithWaitList) return Order::Barrier;
  }
  return Order::Plain;
}

/// For entry points without an argument that makes them block.
constexpr size_t kNever = ~size_t{0};

/// Enqueues a command through the driver, records it and holds its event. The entry point returns an event in its last
/// argument but `FromEnd`, preceded by its wait list. `Blocking` is the index of the argument that makes the call
/// block, or kNever.
template <auto Member, size_t Blocking, size_t FromEnd, typename Result, typename... Arguments>
[[gnu::noinline]] Result enqueueHeld(const Runtime& runtime, Result(CL_API_CALL* driver)(Arguments...),
                                     std::tuple<Arguments...> arguments) {
  constexpr size_t last = sizeof...(Arguments) - 1 - FromEnd;
  const Command command{std::get<0>(arguments), std::get<last - 2>(arguments), std::get<last - 1>(arguments),
                        orderOf<Member>()};
  if constexpr (Blocking != kNever) {
    if (std::get<Blocking>(arguments) != CL_FALSE) refuseToBlock(runtime, (runtime.*Member).name, command);
  }
  cl_event*& eventOut = std::get<last>(arguments);
  const bool requested = eventOut != nullptr;
  cl_event event = nullptr;
  if (!requested) eventOut = &event;
  const Result result = std::apply(driver, arguments);
  if (!succeeded(result) || *eventOut == nullptr) return result;
  if (gatesPending()) noteCommand(runtime, command, *eventOut);
  // Only hold the event if there is a reference for it.
  if (requested && runtime.clRetainEvent(*eventOut) != CL_SUCCESS) return result;
  hold(runtime, *eventOut);
  return result;
}

/// Replacement for an entry point of the runtime with number `Index`.
template <size_t Index, auto Member, size_t Blocking, size_t FromEnd, typename Function>
struct EntryPointHook;

template <size_t Index, auto Member, size_t Blocking, size_t FromEnd, typename Result, typename... Arguments>
struct EntryPointHook<Index, Member, Blocking, FromEnd, Result(CL_API_CALL*)(Arguments...)> {
  static inline Result(CL_API_CALL* driver)(Arguments...) = nullptr;

  static Result CL_API_CALL call(Arguments... values) {
    if (holder().openUserEvents.load(std::memory_order_relaxed) == 0) return driver(values...);
    return enqueueHeld<Member, Blocking, FromEnd>(*hooked[Index], driver, std::tuple<Arguments...>(values...));
  }
};

/// Replaces a driver's function and stores the original in `driver`.
template <typename Function>
void replace(Entry<Function>& entry, Function& driver, Function replacement) {
  if (entry.function == nullptr) return;
  driver = entry.function;
  // Atomic, because other threads may be calling: they get either function.
  std::atomic_ref(entry.function).store(replacement);
}

/// The hooks of the runtime with number `Index`. Each runtime has its own, because a hook must know which driver it
/// replaces.
template <size_t Index>
struct Hooks {
  static inline decltype(&::clFinish) driverFinish = nullptr;
  static inline decltype(&::clWaitForEvents) driverWaitForEvents = nullptr;

  static cl_int CL_API_CALL finish(cl_command_queue queue) {
    refuseToFinish("clFinish", queue);
    return driverFinish(queue);
  }

  static cl_int CL_API_CALL waitForEvents(cl_uint count, const cl_event* events) {
    refuseToWait(*hooked[Index], "clWaitForEvents", count, events);
    return driverWaitForEvents(count, events);
  }

  template <auto Member, size_t Blocking = kNever, size_t FromEnd = 0>
  static void install(Runtime& runtime) {
    auto& entry = runtime.*Member;
    using Hook = EntryPointHook<Index, Member, Blocking, FromEnd, decltype(entry.function)>;
    replace(entry, Hook::driver, &Hook::call);
  }

  static void installAll(Runtime& runtime) {
    hooked[Index] = &runtime;
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
};

/// Installs the hooks of a runtime, once.
template <size_t... Indices>
void installHooks(const Runtime& runtime, std::index_sequence<Indices...>) {
  static std::once_flag once[kMaxRuntimes];
  using Install = void (*)(Runtime&);
  static constexpr Install installers[] = {&Hooks<Indices>::installAll...};
  std::call_once(once[runtime.index], installers[runtime.index], const_cast<Runtime&>(runtime));
}

/// Fails a user event on a stack that is large enough. PoCL fails the dependent commands recursively: a hundred
/// thousand commands after one user event overflow a thread's default stack.
void failWithRoom(const Runtime& runtime, cl_event event, cl_int& status) {
  constexpr size_t kFewEvents = 1000;
  constexpr size_t kStackPerEvent = 1024;
  const auto fail = [&] { status = runtime.clSetUserEventStatus(event, status); };
  size_t dependents = 0;
  {
    const std::lock_guard lock(holder().mutex);
    dependents = holder().events.size();
  }
#ifndef _WIN32
  pthread_attr_t attributes;
  if (dependents > kFewEvents && pthread_attr_init(&attributes) == 0) {
    // Only touched stack pages take memory.
    pthread_attr_setstacksize(&attributes, (size_t{8} << 20) + dependents * kStackPerEvent);
    pthread_t thread;
    const int error = pthread_create(
        &thread, &attributes,
        [](void* work) -> void* {
          (*static_cast<decltype(fail)*>(work))();
          return nullptr;
        },
        const_cast<void*>(static_cast<const void*>(&fail)));
    pthread_attr_destroy(&attributes);
    if (error == 0) {
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
  installHooks(runtime, std::make_index_sequence<kMaxRuntimes>());
  forgetEvent(event);
  holder().openUserEvents.fetch_add(1);
}

cl_int endUserEvent(const Runtime& runtime, cl_event event, cl_int status) {
  // Checked first, because the thread below could not report it.
  runtime.clSetUserEventStatus.require();
  if (status >= 0) return runtime.clSetUserEventStatus(event, status);
  holder().failed.store(true);
  failWithRoom(runtime, event, status);
  return status;
}

void userEventEnded(cl_event event) {
  gateEnds(event);
  Holder& self = holder();
  std::vector<HeldEvent> events;
  {
    // Under the lock: events held for a user event that opens from now on are added after the swap.
    const std::lock_guard lock(self.mutex);
    if (self.openUserEvents.fetch_sub(1) != 1) return;
    events.swap(self.events);
    if (self.failed.exchange(false)) {
      self.lingering.push_back({std::move(events), Clock::now() + kLinger});
      return;
    }
  }
  releaseEvents(events);
}

void releaseLater(const Runtime& runtime, cl_event event) {
  Holder& self = holder();
  const std::lock_guard lock(self.mutex);
  self.lingering.push_back({{{&runtime, event}}, Clock::now() + kLinger});
}

bool releaseHeldEvents() {
  Holder& self = holder();
  std::vector<HeldEvent> events;
  bool more = false;
  {
    const std::lock_guard lock(self.mutex);
    const auto now = Clock::now();
    // The list is sorted by time.
    auto first = self.lingering.begin();
    for (; first != self.lingering.end() && first->until <= now; ++first) {
      events.insert(events.end(), first->events.begin(), first->events.end());
    }
    self.lingering.erase(self.lingering.begin(), first);
    more = !self.lingering.empty();
  }
  releaseEvents(events);
  return more;
}

void releaseHeldEventsInTime() {
  Clock::time_point until;
  {
    const std::lock_guard lock(holder().mutex);
    if (holder().lingering.empty()) return;
    until = holder().lingering.back().until;
  }
  std::this_thread::sleep_until(until);
  releaseHeldEvents();
}

}  // namespace cl
