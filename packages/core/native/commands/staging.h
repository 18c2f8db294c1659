// Large transfers through pinned memory, for drivers that copy pageable memory on one thread and are therefore limited
// to that thread's bandwidth. Here several threads copy separate pieces through a ring of pinned memory while the
// device transfers other pieces.
//
// Order: the pieces use a separate queue. They wait for a marker on the caller's queue (all earlier commands), and
// later commands wait for a barrier on it, which waits for a user event that the last piece completes.
//
// Lifetime: an asynchronous transfer runs on a thread of the channel. It holds the memory object, the pinned host
// memory, the events and the Staging itself, so JavaScript may release all of them meanwhile.
#pragma once

#include <memory>
#include <mutex>

#include "commands/host_block.h"
#include "napi/call.h"

namespace cl {

/// The pinned ring and the separate queue for one queue's large transfers. Any thread may call move().
class Staging final {
 public:
  /// One transfer. `host` is the target of a read and the source of a write.
  struct Transfer {
    bool reading;
    cl_mem memory;
    size_t offset;
    uint8_t* host;
    size_t bytes;
  };

  Staging(const Runtime& runtime, cl_context context, cl_device_id device, bool outOfOrder, size_t lanes);
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// Moves all bytes and returns when done; throws if that fails. Transfers are serialized by a mutex.
  void move(const Transfer& transfer);

  const bool outOfOrder;

 private:
  struct Lane;

  const Runtime& runtime_;
  const size_t lanes_;
  std::mutex mutex_;
  const HostBlock ring_;
};

}  // namespace cl
