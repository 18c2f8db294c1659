// One turn of a relay, and what its turns share: the parts of a relay that other threads use.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "commands/relay.h"
#include "driver/event_status.h"
#include "driver/held_events.h"
#include "driver/loader.h"
#include "napi/event_watches.h"

namespace cl {

/// What a relay and its turns share: the other addon, which learns when all of them have ended, and what the driver was
/// told about its memory.
struct RelayHolding {
  const Runtime* runtime;
  const cl_relay_receiver* receiver;
  uint32_t number;
  std::vector<std::pair<const uint8_t*, cl_mem>> blocks;

  RelayHolding(const Runtime& runtime_, const cl_relay_receiver* receiver_, uint32_t number_)
      : runtime(&runtime_), receiver(receiver_), number(number_) {}
  RelayHolding(const RelayHolding&) = delete;
  RelayHolding& operator=(const RelayHolding&) = delete;
  ~RelayHolding() {
    for (const auto& [start, memory] : blocks)
      if (memory != nullptr) runtime->clReleaseMemObject.quietly(memory);
    receiver->release(receiver->receiver, number);
  }

  /// Lets the driver know a block. NVIDIA's transfers to other memory are several times as slow, and block the caller
  /// until all commands before them have ended.
  void addBlock(cl_context context, const cl_relay_place& place) {
    for (const auto& [start, memory] : blocks)
      if (start == place.block) return;
    cl_int status = CL_SUCCESS;
    const cl_mem memory = runtime->clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, place.block_bytes,
                                                  place.block, &status);
    // Without it, transfers are only slow.
    blocks.emplace_back(place.block, status == CL_SUCCESS ? memory : nullptr);
  }
};

/// One turn: what must be ended, and the host memory that is in use meanwhile.
struct RelayTurn {
  const Runtime* runtime;
  cl_event user;
  std::shared_ptr<RelayHolding> pin;
  uint64_t number;
  std::mutex mutex;
  bool hasWrites = false;
  cl_int failure = CL_SUCCESS;

  RelayTurn(const Runtime& runtime_, cl_event user_, std::shared_ptr<RelayHolding> pin_, uint64_t number_)
      : runtime(&runtime_), user(user_), pin(std::move(pin_)), number(number_) {}
  RelayTurn(const RelayTurn&) = delete;
  RelayTurn& operator=(const RelayTurn&) = delete;
  ~RelayTurn() { runtime->clReleaseEvent.quietly(user); }

  /// The callback of the other addon, which owns a reference.
  static void end(void* reference, int32_t status) {
    const std::unique_ptr<std::shared_ptr<RelayTurn>> turn(static_cast<std::shared_ptr<RelayTurn>*>(reference));
    (*turn)->end(status);
  }

  /// Ends the user event. A failure waits for the writes: PoCL 3.1 never ends commands that wait for an event that has
  /// failed before.
  void end(cl_int status) {
    {
      const std::lock_guard lock(mutex);
      if (status < 0 && !hasWrites) {
        failure = status;
        return;
      }
    }
    const cl_int ended = status >= 0 ? CL_COMPLETE : status;
    // Retried once: if the user event never ended, all later commands would wait forever.
    if (endUserEvent(*runtime, user, ended) != CL_SUCCESS) endUserEvent(*runtime, user, ended);
    userEventEnded(user);
    // PoCL 3.1 does not call back for the commands that fail now.
    if (status < 0) endFailedWatches();
  }

  /// To be called when the writes were enqueued, or will not be.
  void endWrites() {
    cl_int postponed = CL_SUCCESS;
    {
      const std::lock_guard lock(mutex);
      hasWrites = true;
      postponed = std::exchange(failure, CL_SUCCESS);
    }
    if (postponed < 0) end(postponed);
  }
};

}  // namespace cl
