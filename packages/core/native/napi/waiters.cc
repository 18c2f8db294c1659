#include "napi/waiters.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <thread>

#include "driver/driver.h"
#include "driver/event_status.h"

namespace cl {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

/// How long an idle thread waits for new events before it ends.
constexpr auto kLinger = std::chrono::seconds(1);
constexpr microseconds kShortestSleep{20};
constexpr microseconds kLongestSleep{2'000};

/// Returns whether the driver's event callbacks must not be used; see waiters.h.
bool mustNotCallBack(const Runtime& runtime, cl_event event, cl_command_queue queue) {
  if (queue != nullptr) return isNvidia(runtime, queue);
  cl_context context = nullptr;
  runtime.clGetEventInfo.quietly(event, CL_EVENT_CONTEXT, sizeof context, &context, nullptr);
  return context != nullptr && isNvidia(runtime, context);
}

}  // namespace

Waiters::Waiters() : mode_(Mode::Automatic) {
  const char* mode = std::getenv("CL_WAITERS");
  if (mode == nullptr) return;
  if (std::strcmp(mode, "always") == 0) mode_ = Mode::Always;
  if (std::strcmp(mode, "never") == 0) mode_ = Mode::Never;
}

bool Waiters::wait(const Runtime& runtime, cl_event event, cl_int stage, Listener listener,
                   std::function<void(cl_int)> onEnd) {
  cl_command_queue queue = nullptr;
  runtime.clGetEventInfo.quietly(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr);
  const bool canBlock = queue != nullptr && stage == CL_COMPLETE && mode_ != Mode::Never;
  const bool preferred = mode_ == Mode::Always && listener == Listener::JavaScript;
  if (!(canBlock && preferred) && !mustNotCallBack(runtime, event, queue)) return false;
  if (!runtime.clWaitForEvents || runtime.clRetainEvent(event) != CL_SUCCESS) return false;
  // Flushed here, because nothing else makes the driver start, and when the thread gets to it the queue may have been
  // released.
  if (queue != nullptr) runtime.clFlush.quietly(queue);
  if (add(canBlock ? queue : nullptr, {&runtime, event, stage, std::move(onEnd)})) return true;
  runtime.clReleaseEvent.quietly(event);
  return false;
}

bool Waiters::add(cl_command_queue queue, Wait wait) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<PendingWaits>& pending = pending_[queue];
  const bool isNew = pending == nullptr;
  if (isNew) {
    try {
      pending = std::make_shared<PendingWaits>();
      std::thread([self = shared_from_this(), queue, waits = pending] {
        std::unique_lock lock(self->mutex_);
        if (queue != nullptr)
          self->waitInDriver(*waits, lock);
        else
          self->poll(*waits, lock);
        self->pending_.erase(queue);
        self->threadEnded_.notify_all();
      }).detach();
    } catch (const std::exception&) {
      pending_.erase(queue);
      return false;
    }
  }
  pending->waits.push_back(std::move(wait));
  pending->added.notify_one();
  return true;
}

void Waiters::waitInDriver(PendingWaits& pending, std::unique_lock<std::mutex>& lock) {
  while (pending.added.wait_for(lock, kLinger, [&] { return !pending.waits.empty(); })) {
    Wait next = std::move(pending.waits.front());
    pending.waits.pop_front();
    lock.unlock();
    next.runtime->clWaitForEvents.quietly(1, &next.event);
    next.onEnd(statusOf(*next.runtime, next.event, CL_INVALID_EVENT));
    next.onEnd = nullptr;
    next.runtime->clReleaseEvent.quietly(next.event);
    lock.lock();
  }
}

void Waiters::poll(PendingWaits& pending, std::unique_lock<std::mutex>& lock) {
  std::deque<Wait> waits;
  Clock::time_point progress = Clock::now();
  const auto isWoken = [&] { return stopped_ || !pending.waits.empty(); };
  while (!waits.empty() || pending.added.wait_for(lock, kLinger, isWoken)) {
    if (!pending.waits.empty()) progress = Clock::now();
    std::move(pending.waits.begin(), pending.waits.end(), std::back_inserter(waits));
    pending.waits.clear();
    lock.unlock();
    const auto reached = [&](Wait& wait) {
      const cl_int status = statusOf(*wait.runtime, wait.event, CL_INVALID_EVENT);
      if (status > wait.stage) return false;
      wait.onEnd(status);
      wait.onEnd = nullptr;
      wait.runtime->clReleaseEvent.quietly(wait.event);
      progress = Clock::now();
      return true;
    };
    waits.erase(std::remove_if(waits.begin(), waits.end(), reached), waits.end());
    const auto sleep = std::clamp<Clock::duration>((Clock::now() - progress) / 32, kShortestSleep, kLongestSleep);
    lock.lock();
    if (stopped_) {
      // The remaining waits are leaked: their events belong to other code, which may never end them.
      static_cast<void>(new std::deque<Wait>(std::move(waits)));
      return;
    }
    if (!waits.empty()) pending.added.wait_for(lock, sleep, isWoken);
  }
}

void Waiters::stopPolling() {
  std::unique_lock lock(mutex_);
  stopped_ = true;
  const auto found = pending_.find(nullptr);
  if (found == pending_.end()) return;
  found->second->added.notify_one();
  threadEnded_.wait_for(lock, kLinger, [&] { return !pending_.contains(nullptr); });
}

}  // namespace cl
