// Keeps a loop that only launches from running away from its device.
//
// A driver keeps every command until it has run: PoCL takes 0.7 KiB for each, and gets slower the more there are, so
// that a million launches without a finish cost 500 MB and a third of the speed. So after every `depth` launches on a
// queue the next one looks how far the device is, and if more than that many are still behind gives it a moment: at
// most 2 ms, the time that the event loop may stand still. Behind a long kernel, or a user event that holds everything,
// that is 4 us for each launch at the default depth; where the device is merely slower than the loop, it ends the race.
#pragma once

#include "loader.h"

namespace cl {

class Pace final {
 public:
  /// A depth of 0 never waits.
  Pace(const Runtime& runtime, uint32_t depth) : runtime_(runtime), depth_(depth) {}
  ~Pace() { drop(); }
  Pace(const Pace&) = delete;
  Pace& operator=(const Pace&) = delete;

  /// To be called after commands were enqueued; `last`, if there is one, is the event that completes after all of them.
  void launched(cl_command_queue queue, uint32_t commands, cl_event last = nullptr) {
    ahead_ += commands;
    if (ahead_ >= depth_ && depth_ > 0) [[unlikely]]
      catchUp(queue, last);
  }
  /// To be called when the queue is known to be empty.
  void finished() {
    ahead_ = 0;
    drop();
  }

 private:
  void catchUp(cl_command_queue queue, cl_event last);
  bool reached() const;
  void drop();

  const Runtime& runtime_;
  const uint32_t depth_;
  /// Launches since the last look.
  uint32_t ahead_ = 0;
  /// A marker behind the launches before, or the last of them.
  cl_event checkpoint_ = nullptr;
};

}  // namespace cl
