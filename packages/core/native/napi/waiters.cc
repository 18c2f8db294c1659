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

constexpr auto kLinger = std::chrono::seconds(1);
constexpr microseconds kShortestSleep{20};
constexpr microseconds kLongestSleep{2'000};

bool mustNotCallBack(const Runtime& runtime, cl_event event, cl_command_queue queue) {
  if (queue != nullptr) return isNvidia(runtime, queue);
  cl_context context = nullptr;
  runtime.clGetEventInfo.quietly(event, CL_EVENT_CONTEXT, sizeof context, &context, nullptr);
  return context != nullptr && isNvidia(runtime, context);
}

}  // namespace

Waiters::Waiters() : when_(When::Needed) {
  const char* asked = std::getenv("CL_WAITERS");
  if (asked == nullptr) return;
  if (std::strcmp(asked, "always") == 0) when_ = When::Always;
  if (std::strcmp(asked, "never") == 0) when_ = When::Never;
}

bool Waiters::wait(const Runtime& runtime, cl_event event, cl_int stage, Told told, std::function<void(cl_int)> ended) {
  cl_command_queue queue = nullptr;
  runtime.clGetEventInfo.quietly(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr);
  const bool inDriver = queue != nullptr && stage == CL_COMPLETE && when_ != When::Never;
  const bool wanted = when_ == When::Always && told == Told::JavaScript;
  if (!(inDriver && wanted) && !mustNotCallBack(runtime, event, queue)) return false;
  if (!runtime.clWaitForEvents || runtime.clRetainEvent(event) != CL_SUCCESS) return false;
  // Here, since nothing else makes the driver begin, and a flush on the thread may be one too late: the queue may have
  // been released.
  if (queue != nullptr) runtime.clFlush.quietly(queue);
  if (add(inDriver ? queue : nullptr, {&runtime, event, stage, std::move(ended)})) return true;
  runtime.clReleaseEvent.quietly(event);
  return false;
}

bool Waiters::add(cl_command_queue queue, Wait wait) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Line>& line = lines_[queue];
  const bool isNew = line == nullptr;
  if (isNew) {
    try {
      line = std::make_shared<Line>();
      std::thread([self = shared_from_this(), queue, own = line] {
        std::unique_lock held(self->mutex_);
        if (queue != nullptr)
          self->waitInDriver(*own, held);
        else
          self->ask(*own, held);
        self->lines_.erase(queue);
        self->threadEnded_.notify_all();
      }).detach();
    } catch (const std::exception&) {
      lines_.erase(queue);
      return false;
    }
  }
  line->waits.push_back(std::move(wait));
  line->filled.notify_one();
  return true;
}

void Waiters::waitInDriver(Line& line, std::unique_lock<std::mutex>& lock) {
  while (line.filled.wait_for(lock, kLinger, [&] { return !line.waits.empty(); })) {
    Wait next = std::move(line.waits.front());
    line.waits.pop_front();
    lock.unlock();
    next.runtime->clWaitForEvents.quietly(1, &next.event);
    next.ended(statusOf(*next.runtime, next.event, CL_INVALID_EVENT));
    next.ended = nullptr;
    next.runtime->clReleaseEvent.quietly(next.event);
    lock.lock();
  }
}

void Waiters::ask(Line& line, std::unique_lock<std::mutex>& lock) {
  std::deque<Wait> waits;
  Clock::time_point progress = Clock::now();
  const auto isCalled = [&] { return stopped_ || !line.waits.empty(); };
  while (!waits.empty() || line.filled.wait_for(lock, kLinger, isCalled)) {
    if (!line.waits.empty()) progress = Clock::now();
    std::move(line.waits.begin(), line.waits.end(), std::back_inserter(waits));
    line.waits.clear();
    lock.unlock();
    const auto reached = [&](Wait& wait) {
      const cl_int status = statusOf(*wait.runtime, wait.event, CL_INVALID_EVENT);
      if (status > wait.stage) return false;
      wait.ended(status);
      wait.ended = nullptr;
      wait.runtime->clReleaseEvent.quietly(wait.event);
      progress = Clock::now();
      return true;
    };
    waits.erase(std::remove_if(waits.begin(), waits.end(), reached), waits.end());
    const auto sleep = std::clamp<Clock::duration>((Clock::now() - progress) / 32, kShortestSleep, kLongestSleep);
    lock.lock();
    if (stopped_) {
      // The rest is leaked: its events belong to other code, which may never end them.
      static_cast<void>(new std::deque<Wait>(std::move(waits)));
      return;
    }
    if (!waits.empty()) line.filled.wait_for(lock, sleep, isCalled);
  }
}

void Waiters::stopAsking() {
  std::unique_lock lock(mutex_);
  stopped_ = true;
  const auto found = lines_.find(nullptr);
  if (found == lines_.end()) return;
  found->second->filled.notify_one();
  threadEnded_.wait_for(lock, kLinger, [&] { return !lines_.contains(nullptr); });
}

}  // namespace cl
