#include "waiters.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>

#include "driver.h"

namespace cl {
namespace {

constexpr auto kLinger = std::chrono::seconds(1);
constexpr size_t kMostRemembered = 1024;

}  // namespace

Waiters::Waiters() : when_(When::Slow) {
  const char* asked = std::getenv("CL_WAITERS");
  if (asked == nullptr) return;
  if (std::strcmp(asked, "always") == 0) when_ = When::Always;
  if (std::strcmp(asked, "never") == 0) when_ = When::Never;
}

bool Waiters::isSlow(const Runtime& runtime, cl_command_queue queue) {
  if (when_ != When::Slow) return when_ == When::Always;
  const std::lock_guard lock(mutex_);
  if (const auto known = slow_.find(queue); known != slow_.end()) return known->second;
  if (slow_.size() >= kMostRemembered) slow_.clear();
  return slow_[queue] = isNvidia(runtime, queue);
}

bool Waiters::wait(const Runtime& runtime, cl_event event, std::function<void(cl_int)> ended) {
  cl_command_queue queue = nullptr;
  runtime.clGetEventInfo.quietly(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr);
  if (queue == nullptr || !isSlow(runtime, queue)) return false;
  if (!runtime.clWaitForEvents || runtime.clRetainEvent(event) != CL_SUCCESS) return false;
  // Here, since nothing else makes the driver begin, and a flush on the thread may be one too late: the queue may have
  // been released.
  runtime.clFlush.quietly(queue);
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Line>& line = lines_[queue];
  if (line) {
    line->waits.push_back({runtime, event, std::move(ended)});
    line->filled.notify_one();
    return true;
  }
  try {
    line = std::make_shared<Line>();
    std::thread([self = shared_from_this(), queue] { self->work(queue); }).detach();
  } catch (const std::exception&) {
    lines_.erase(queue);
    runtime.clReleaseEvent.quietly(event);
    return false;
  }
  line->waits.push_back({runtime, event, std::move(ended)});
  return true;
}

void Waiters::work(cl_command_queue queue) {
  std::unique_lock lock(mutex_);
  const std::shared_ptr<Line> line = lines_[queue];
  for (;;) {
    if (!line->filled.wait_for(lock, kLinger, [&] { return !line->waits.empty(); })) break;
    Wait next = std::move(line->waits.front());
    line->waits.pop_front();
    lock.unlock();
    next.runtime.clWaitForEvents.quietly(1, &next.event);
    cl_int status = CL_INVALID_EVENT;
    next.runtime.clGetEventInfo.quietly(next.event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    next.ended(status);
    next.ended = nullptr;
    next.runtime.clReleaseEvent.quietly(next.event);
    lock.lock();
  }
  lines_.erase(queue);
}

}  // namespace cl
