#include "objects/pace.h"

#include <algorithm>
#include <thread>

#include "driver/dependencies.h"
#include "driver/event_status.h"
#include "napi/environment.h"
#include "napi/turn.h"

namespace cl {
namespace {

using std::chrono::microseconds;

/// Longest wait per launch if the loop yields to the event loop.
constexpr microseconds kWaitPerLaunch{4};
/// Timeouts of a wait without progress: the first, and the minimum after repeated timeouts. Shorter ones apply if other
/// threads may block the queue.
constexpr microseconds kTimeout{10'000'000};
constexpr microseconds kMinTimeout{10'000};
constexpr microseconds kTimeoutWithOthers{100'000};
constexpr microseconds kMinTimeoutWithOthers{2'000};
/// Target time in seconds between two markers.
constexpr std::chrono::duration<double> kMarkerTime{0.05};
/// Maximum number of markers for `depth` launches.
constexpr uint32_t kMaxMarkers = 64;
constexpr microseconds kShortestSleep{20};
constexpr microseconds kLongestSleep{1'000};

/// Returns `start` halved `times` times, but at least `min`.
microseconds halved(microseconds start, microseconds min, uint32_t times) {
  return std::max(min, start / (1u << std::min(times, 30u)));
}

/// Flushes all queues: the commands that this queue waits for may not have been submitted.
void flushAll(Environment& environment) {
  for (const Slot& slot : environment.handles.slots()) {
    if (slot.alive && slot.kind == Kind::Queue) slot.runtime->clFlush.quietly(slot.as<cl_command_queue>());
  }
}

}  // namespace

void Pace::catchUp(Environment& environment, cl_command_queue queue, cl_event last) {
  const uint32_t launches = sinceMarker_;
  const std::optional<uint64_t> turn = currentTurn(environment.env);
  inTurn_ = turn && turn == turn_ ? inTurn_ + launches : launches;
  turn_ = turn;
  place(queue, last);
  removePassed();
  // Keep the last marker, so that the device has work meanwhile.
  while (unfinished_ > depth_ && markers_.size() > 1 && wait(environment, queue, launches)) continue;
}

void Pace::place(cl_command_queue queue, cl_event last) {
  cl_event event = nullptr;
  if (last != nullptr && runtime_.clRetainEvent && runtime_.clRetainEvent(last) == CL_SUCCESS) {
    event = last;
  } else if (!runtime_.clEnqueueMarkerWithWaitList ||
             runtime_.clEnqueueMarkerWithWaitList(queue, 0, nullptr, &event) != CL_SUCCESS) {
    // Without a marker there is nothing to wait for, so the launches are not throttled.
    sinceMarker_ = 0;
    return;
  }
  runtime_.clFlush.quietly(queue);
  markers_.push_back({event, sinceMarker_});
  unfinished_ += sinceMarker_;
  sinceMarker_ = 0;
}

bool Pace::removePassed() {
  bool passed = false;
  while (!markers_.empty()) {
    const Marker& oldest = markers_.front();
    if (statusOf(runtime_, oldest.event, CL_COMPLETE) > CL_COMPLETE) break;
    runtime_.clReleaseEvent.quietly(oldest.event);
    unfinished_ -= oldest.launches;
    markers_.pop_front();
    timeouts_ = 0;
    passed = true;
  }
  return passed;
}

bool Pace::wait(Environment& environment, cl_command_queue queue, uint32_t launches) {
  const uint32_t shortestStride = std::max(1u, depth_ / kMaxMarkers);
  const bool isLoop = turn_ && inTurn_ > depth_;
  const uint32_t next = markers_.front().launches;
  const auto start = Clock::now();
  bool flushed = false;
  for (;;) {
    const Blocker blocker = blockerOf(queue);
    if (blocker == Blocker::ThisThread) return false;
    const Clock::duration limit = !isLoop ? kWaitPerLaunch * launches
                                  : blocker == Blocker::Others
                                      ? halved(kTimeoutWithOthers, kMinTimeoutWithOthers, timeouts_)
                                      : halved(kTimeout, kMinTimeout, timeouts_);
    const Clock::duration waited = Clock::now() - start;
    if (waited >= limit) {
      if (isLoop) ++timeouts_;
      if (isLoop && blocker == Blocker::Nothing) stride_ = shortestStride;
      return false;
    }
    // Sleeps instead of spinning: on a CPU device the kernels need this thread's core.
    std::this_thread::sleep_for(std::clamp<Clock::duration>(waited / 32, kShortestSleep, kLongestSleep));
    if (removePassed()) {
      const double stride = next * (kMarkerTime / std::chrono::duration<double>(Clock::now() - start));
      stride_ = static_cast<uint32_t>(std::clamp(stride, double(shortestStride), double(depth_)));
      return true;
    }
    if (!flushed && waited > kLongestSleep) {
      flushAll(environment);
      flushed = true;
    }
  }
}

void Pace::finished() {
  sinceMarker_ = 0;
  unfinished_ = 0;
  timeouts_ = 0;
  stride_ = depth_;
  if (markers_.empty()) return;
  for (const Marker& marker : markers_) runtime_.clReleaseEvent.quietly(marker.event);
  markers_.clear();
}

}  // namespace cl
