// Keeps a loop that only launches from running away from its device.
//
// A driver keeps every command until it has run: PoCL takes 0.7 KiB for each, and gets slower the more there are. So a
// queue counts its launches and puts a marker behind every `depth` of them. If more than `depth` are then unfinished,
// the thread waits for the oldest marker.
//
// A synchronous loop blocks the event loop anyway. So once there were more than `depth` launches in one turn of the
// event loop, the thread waits as long as the device makes progress, that is, as long as markers are passed. If a
// marker takes long, the next ones are closer together, so that progress is seen behind kernels of any duration.
// Launches of different turns wait 4 us each at most.
//
// How long the thread waits depends on what may hold the queue:
//  - a user event or a host function of this thread (dependencies.h): it does not wait;
//  - gates of other threads, adopted events or semaphores: it waits 100 ms without progress;
//  - nothing that is known: only a kernel that waits for the host, or a lost device, can stop the queue, and the thread
//    waits 10 s without progress.
// Each time it gives up, it waits half as long the next time.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>

#include "driver/loader.h"

namespace cl {

struct Environment;

class Pace final {
 public:
  /// A depth of 0 never waits.
  Pace(const Runtime& runtime, uint32_t depth) : runtime_(runtime), depth_(depth), stride_(depth) {}
  ~Pace() { finished(); }
  Pace(const Pace&) = delete;
  Pace& operator=(const Pace&) = delete;

  /// To be called after commands were enqueued; `last`, if there is one, is the event that completes after all of them.
  void launched(Environment& environment, cl_command_queue queue, uint32_t commands, cl_event last = nullptr) {
    ahead_ += commands;
    if (ahead_ >= stride_ && depth_ > 0) [[unlikely]]
      catchUp(environment, queue, last);
  }
  /// To be called when the queue is known to be empty.
  void finished();

 private:
  using Clock = std::chrono::steady_clock;

  struct Marker {
    cl_event event;
    /// Launches between the marker before and this one.
    uint32_t launches;
  };

  void catchUp(Environment& environment, cl_command_queue queue, cl_event last);
  void place(cl_command_queue queue, cl_event last);
  /// Removes the markers that the device has passed. False if it has not passed the oldest.
  bool removePassed();
  /// True if the oldest marker was passed in time.
  bool wait(Environment& environment, cl_command_queue queue, uint32_t launches);

  const Runtime& runtime_;
  const uint32_t depth_;
  /// Launches from one marker to the next.
  uint32_t stride_;
  /// Launches since the last marker.
  uint32_t ahead_ = 0;
  /// Launches before the last marker that are not known to have ended.
  uint64_t unfinished_ = 0;
  std::deque<Marker> markers_;
  /// The turn of the last marker, and launches in it.
  std::optional<uint64_t> turn_;
  uint64_t inTurn_ = 0;
  /// How often in a row the thread gave up.
  uint32_t givenUp_ = 0;
};

}  // namespace cl
