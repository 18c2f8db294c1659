// Large transfers of ordinary memory, where a driver copies it to and from pinned memory itself and is slow at that:
// one thread's copy is all that its bandwidth is then. Here several threads copy, each its own pieces, through a ring
// of pinned memory, and the device fetches what the others have copied meanwhile.
//
// Order: the pieces go over a queue of our own, behind a marker of the caller's queue (all that came before) and before
// a barrier of it (all that comes later), which waits for a user event that the last piece completes.
//
// Lifetime: a transfer that does not block runs on a thread of the channel, which holds all that it uses: the memory
// object, the pinned host memory, the events, and the Staging itself, whatever JavaScript releases meanwhile.
#pragma once

#include <memory>
#include <mutex>

#include "napi/call.h"

namespace cl {

class Staging final {
 public:
  /// What is to be moved; `host` is read if it is a write.
  struct Transfer {
    bool reading;
    cl_mem memory;
    size_t offset;
    uint8_t* host;
    size_t bytes;
  };

  Staging(const Runtime& runtime, cl_context context, cl_device_id device, bool outOfOrder, size_t lanes);
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// Moves everything and returns then; throws what failed. One transfer at a time, the others wait for the ring.
  void move(const Transfer& transfer);

  const bool outOfOrder;

 private:
  struct Lane;

  const Runtime& runtime_;
  const size_t lanes_;
  std::mutex mutex_;
  cl_command_queue queue_ = nullptr;
  cl_mem ring_ = nullptr;
  uint8_t* memory_ = nullptr;
};

}  // namespace cl
