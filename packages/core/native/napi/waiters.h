// Threads that detect the end of events without driver callbacks.
//
// NVIDIA's driver (580) must not call back. While a callback is due, a thread that enqueues a small transfer spins in
// the driver and holds a lock that the callback needs: of 36 processes that did both, 29 hung within 1,500 rounds; of
// 12 with waiter threads instead, none did. The driver also calls back up to 20 ms late for commands that take longer
// than 50 µs.
//
// Each queue with watched events has one thread, which waits in the driver; a queue ends its commands in order. One
// more thread polls the status of all other events: user events, which have no queue, and events watched for a stage
// before completion. A thread that stays idle for a while ends.
//
// A thread only uses its events, which it retains. It must not use the queue: when waiter threads retained, flushed and
// released queues, NVIDIA's driver ended the process if queues and contexts were released meanwhile. The threads are
// not joined; at exit, commands have been waited for, with a timeout.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "driver/loader.h"

namespace cl {

/// One channel's waiter threads. All functions may be called from any thread.
class Waiters : public std::enable_shared_from_this<Waiters> {
 public:
  /// Reads the mode from CL_WAITERS: "always", "never" or, by default, automatic.
  Waiters();

  /// Who needs the result of a wait.
  enum class Listener { None, JavaScript };

  /// Calls `onEnd` with the status, on another thread, when the event reaches the stage or fails. Returns false,
  /// without calling it, if a driver callback should be used instead or no thread is available.
  bool wait(const Runtime& runtime, cl_event event, cl_int stage, Listener listener, std::function<void(cl_int)> onEnd);

  /// Stops the polling thread after it has reported what has ended. Call it before the process may exit, because the
  /// driver must not be called during exit.
  void stopPolling();

 private:
  struct Wait {
    const Runtime* runtime;
    cl_event event;
    cl_int stage;
    std::function<void(cl_int)> onEnd;
  };
  struct PendingWaits {
    std::deque<Wait> waits;
    std::condition_variable added;
  };

  bool add(cl_command_queue queue, Wait wait);
  void waitInDriver(PendingWaits& pending, std::unique_lock<std::mutex>& lock);
  void poll(PendingWaits& pending, std::unique_lock<std::mutex>& lock);

  enum class Mode { Automatic, Always, Never } mode_;
  std::mutex mutex_;
  std::condition_variable threadEnded_;
  bool stopped_ = false;
  /// By queue; the polled events are under null.
  std::unordered_map<cl_command_queue, std::shared_ptr<PendingWaits>> pending_;
};

}  // namespace cl
