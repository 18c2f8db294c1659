// Throttles a loop that launches faster than its device executes.
//
// A driver keeps every command until it has run: PoCL takes 0.7 KiB for each and becomes slower the more there are. A
// queue therefore counts its launches and enqueues a marker after every `depth` of them. If more than `depth` launches
// are then unfinished, the thread waits for the oldest marker.
//
// A synchronous loop blocks the event loop anyway. After more than `depth` launches in one iteration of the event loop,
// the thread waits as long as the device makes progress, that is, as long as markers complete. If a marker takes long,
// the next ones are placed closer together, so that progress is visible for kernels of any duration. If the launches
// are spread over several iterations, the thread waits at most 4 us per launch.
//
// The timeout depends on what may block the queue:
//  - a user event or a host function of this thread (dependencies.h): no wait;
//  - gates of other threads, adopted events or semaphores: 100 ms without progress;
//  - nothing that is recorded: only a kernel that waits for the host or a lost device can block the queue, and the
//    timeout is 10 s without progress.
// Each timeout halves the next one.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>

#include "driver/loader.h"

namespace cl {

struct Environment;

/// The throttle of one queue. JavaScript thread only.
class Pace final {
 public:
  /// With a depth of 0 it never waits.
  Pace(const Runtime& runtime, uint32_t depth) : runtime_(runtime), depth_(depth), stride_(depth) {}
  ~Pace() { finished(); }
  Pace(const Pace&) = delete;
  Pace& operator=(const Pace&) = delete;

  /// Must be called after commands were enqueued. `last`, if not null, is an event that completes after all of them.
  void launched(Environment& environment, cl_command_queue queue, uint32_t commands, cl_event last = nullptr) {
    sinceMarker_ += commands;
    if (sinceMarker_ >= stride_ && depth_ > 0) [[unlikely]]
      catchUp(environment, queue, last);
  }
  /// Must be called when the queue is known to be empty.
  void finished();

 private:
  using Clock = std::chrono::steady_clock;

  struct Marker {
    cl_event event;
    /// Launches between the previous marker and this one.
    uint32_t launches;
  };

  void catchUp(Environment& environment, cl_command_queue queue, cl_event last);
  void place(cl_command_queue queue, cl_event last);
  /// Removes completed markers. Returns false if the oldest one has not completed.
  bool removePassed();
  /// Waits for the oldest marker. Returns false after a timeout or if this thread blocks the queue.
  bool wait(Environment& environment, cl_command_queue queue, uint32_t launches);

  const Runtime& runtime_;
  const uint32_t depth_;
  /// Number of launches from one marker to the next.
  uint32_t stride_;
  /// Launches since the last marker.
  uint32_t sinceMarker_ = 0;
  /// Launches before the last marker that are not known to have ended.
  uint64_t unfinished_ = 0;
  std::deque<Marker> markers_;
  /// The event loop's iteration at the last marker, and the number of launches in it.
  std::optional<uint64_t> turn_;
  uint64_t inTurn_ = 0;
  /// Number of timeouts in a row.
  uint32_t timeouts_ = 0;
};

}  // namespace cl
