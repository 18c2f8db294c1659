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

/// For each launch of a loop that gives the event loop turns.
constexpr microseconds kAcrossTurns{4};
constexpr microseconds kPatience{10'000'000};
constexpr microseconds kLeastPatience{10'000};
constexpr microseconds kPatienceWithOthers{100'000};
constexpr microseconds kLeastPatienceWithOthers{2'000};
/// Markers come closer together until each takes this long.
constexpr std::chrono::duration<double> kMarkerTime{0.05};
/// At most this many for `depth` launches.
constexpr uint32_t kMarkersOfSlow = 64;
constexpr microseconds kShortestSleep{20};
constexpr microseconds kLongestSleep{1'000};

microseconds halved(microseconds most, microseconds least, uint32_t times) {
  return std::max(least, most / (1u << std::min(times, 30u)));
}

/// What holds the queue may wait for commands of a queue that nothing has flushed yet.
void flushAll(Environment& environment) {
  for (const Slot& slot : environment.handles.slots()) {
    if (slot.alive && slot.kind == Kind::Queue) slot.runtime->clFlush.quietly(slot.as<cl_command_queue>());
  }
}

}  // namespace

void Pace::catchUp(Environment& environment, cl_command_queue queue, cl_event last) {
  const uint32_t launches = ahead_;
  const std::optional<uint64_t> turn = currentTurn(environment.env);
  inTurn_ = turn && turn == turn_ ? inTurn_ + launches : launches;
  turn_ = turn;
  place(queue, last);
  removePassed();
  // Never for the last marker, since the device must have work meanwhile.
  while (unfinished_ > depth_ && markers_.size() > 1 && wait(environment, queue, launches)) continue;
}

void Pace::place(cl_command_queue queue, cl_event last) {
  cl_event event = nullptr;
  if (last != nullptr && runtime_.clRetainEvent && runtime_.clRetainEvent(last) == CL_SUCCESS) {
    event = last;
  } else if (!runtime_.clEnqueueMarkerWithWaitList ||
             runtime_.clEnqueueMarkerWithWaitList(queue, 0, nullptr, &event) != CL_SUCCESS) {
    // Without a marker there is nothing to wait for, and launches continue as they would without us.
    ahead_ = 0;
    return;
  }
  runtime_.clFlush.quietly(queue);
  markers_.push_back({event, ahead_});
  unfinished_ += ahead_;
  ahead_ = 0;
}

bool Pace::removePassed() {
  bool passed = false;
  while (!markers_.empty()) {
    const Marker& oldest = markers_.front();
    if (statusOf(runtime_, oldest.event, CL_COMPLETE) > CL_COMPLETE) break;
    runtime_.clReleaseEvent.quietly(oldest.event);
    unfinished_ -= oldest.launches;
    markers_.pop_front();
    givenUp_ = 0;
    passed = true;
  }
  return passed;
}

bool Pace::wait(Environment& environment, cl_command_queue queue, uint32_t launches) {
  const uint32_t shortestStride = std::max(1u, depth_ / kMarkersOfSlow);
  const bool isLoop = turn_ && inTurn_ > depth_;
  const uint32_t next = markers_.front().launches;
  const auto start = Clock::now();
  bool flushed = false;
  for (;;) {
    const Hold hold = holdOf(queue);
    if (hold == Hold::ThisThread) return false;
    const Clock::duration limit = !isLoop ? kAcrossTurns * launches
                                  : hold == Hold::Others
                                      ? halved(kPatienceWithOthers, kLeastPatienceWithOthers, givenUp_)
                                      : halved(kPatience, kLeastPatience, givenUp_);
    const Clock::duration waited = Clock::now() - start;
    if (waited >= limit) {
      if (isLoop) ++givenUp_;
      if (isLoop && hold == Hold::Nothing) stride_ = shortestStride;
      return false;
    }
    // Asleep, not spinning: on a CPU device this thread's core is one that the kernels need.
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
  ahead_ = 0;
  unfinished_ = 0;
  givenUp_ = 0;
  stride_ = depth_;
  if (markers_.empty()) return;
  for (const Marker& marker : markers_) runtime_.clReleaseEvent.quietly(marker.event);
  markers_.clear();
}

}  // namespace cl
