#include "commands/staging.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "commands/transfer.h"
#include "driver/dependencies.h"
#include "driver/held_events.h"
#include "exports.h"
#include "napi/backing_store.h"
#include "napi/event_watches.h"
#include "napi/landing_memory.h"
#include "objects/event.h"
#include "objects/queue_record.h"

namespace cl {
namespace {

constexpr size_t kPieceBytes = 2 << 20;
/// Each lane fills one slot of the ring while the device works on the other.
constexpr size_t kSlotsPerLane = 2;

}  // namespace

Staging::Staging(const Runtime& runtime, cl_context context, cl_device_id device, bool outOfOrder, size_t lanes)
    : outOfOrder(outOfOrder),
      runtime_(runtime),
      lanes_(lanes),
      ring_(runtime, context, device, lanes * kSlotsPerLane * kPieceBytes) {}

/// One thread's share of a transfer. It takes the next free piece and moves it through its own slots of the ring.
struct Staging::Lane {
  const Runtime& runtime;
  cl_command_queue queue;
  const Transfer& transfer;
  uint8_t* memory;
  std::atomic<size_t>& nextOffset;
  std::atomic<cl_int>& status;

  struct RingSlot {
    cl_event busy = nullptr;
    size_t start = 0;
    size_t bytes = 0;
  };
  RingSlot slots[kSlotsPerLane] = {};

  bool failed(cl_int result) {
    if (result != CL_SUCCESS) status = result;
    return status != CL_SUCCESS;
  }

  /// Takes the next piece. Returns false if none is left.
  bool take(RingSlot& slot) {
    slot.start = nextOffset.fetch_add(kPieceBytes);
    if (slot.start >= transfer.bytes) return false;
    slot.bytes = std::min(kPieceBytes, transfer.bytes - slot.start);
    return true;
  }

  /// Waits until the device has finished with a slot. Returns false if it was not in use.
  bool wait(RingSlot& slot) {
    if (slot.busy == nullptr) return false;
    failed(runtime.clWaitForEvents(1, &slot.busy));
    runtime.clReleaseEvent(slot.busy);
    slot.busy = nullptr;
    return true;
  }

  uint8_t* at(size_t i) const { return memory + i * kPieceBytes; }

  void write() {
    for (size_t i = 0;; i = (i + 1) % kSlotsPerLane) {
      RingSlot& slot = slots[i];
      wait(slot);
      if (status != CL_SUCCESS || !take(slot)) break;
      std::memcpy(at(i), transfer.host + slot.start, slot.bytes);
      if (failed(runtime.clEnqueueWriteBuffer(queue, transfer.memory, CL_FALSE, transfer.offset + slot.start,
                                              slot.bytes, at(i), 0, nullptr, &slot.busy)))
        break;
      runtime.clFlush(queue);
    }
    for (RingSlot& slot : slots) wait(slot);
  }

  bool fetch(size_t i) {
    RingSlot& slot = slots[i];
    if (status != CL_SUCCESS || !take(slot)) return false;
    if (failed(runtime.clEnqueueReadBuffer(queue, transfer.memory, CL_FALSE, transfer.offset + slot.start, slot.bytes,
                                           at(i), 0, nullptr, &slot.busy)))
      return false;
    runtime.clFlush(queue);
    return true;
  }

  void read() {
    for (size_t i = 0; i < kSlotsPerLane && fetch(i); ++i) continue;
    for (size_t i = 0; wait(slots[i]); i = (i + 1) % kSlotsPerLane) {
      if (status == CL_SUCCESS) std::memcpy(transfer.host + slots[i].start, at(i), slots[i].bytes);
      fetch(i);
    }
  }

  void run() {
    try {
      transfer.reading ? read() : write();
    } catch (const Failure&) {
      status = CL_INVALID_OPERATION;
    }
  }
};

void Staging::move(const Transfer& transfer) {
  const std::lock_guard lock(mutex_);
  std::atomic<size_t> nextOffset = 0;
  std::atomic<cl_int> status = CL_SUCCESS;
  const size_t pieces = (transfer.bytes + kPieceBytes - 1) / kPieceBytes;
  const auto lane = [&](size_t i) {
    Lane{runtime_, ring_.queue(), transfer, ring_.data() + i * kSlotsPerLane * kPieceBytes, nextOffset, status}.run();
  };
  std::vector<std::thread> threads;
  try {
    for (size_t i = 1; i < std::min(lanes_, pieces); ++i) threads.emplace_back(lane, i);
  } catch (const std::exception&) {
    // The system has no thread left: the existing lanes do the work.
  }
  lane(0);
  for (std::thread& thread : threads) thread.join();
  check(status, transfer.reading ? "clEnqueueReadBuffer" : "clEnqueueWriteBuffer");
}

namespace {

/// prepareStaging(queue, device, outOfOrder, lanes)
Napi::Value prepareStaging(Call& call) {
  const Slot& queue = call.slot(0, Kind::Queue);
  const Slot& device = call.slot(1, Kind::Device);
  queueRecord(queue).staging =
      std::make_shared<Staging>(*queue.runtime, static_cast<cl_context>(queue.context), device.as<cl_device_id>(),
                                call.boolean(2), std::max<size_t>(1, call.size(3)));
  return {};
}

/// Waits for the commands that a transfer depends on, and throws if they failed.
void await(const Runtime& runtime, cl_event gate) {
  if (gate != nullptr) check(runtime.clWaitForEvents(1, &gate), "clWaitForEvents");
}

/// An asynchronous transfer with everything that it needs until it has ended.
class Pending {
 public:
  Pending(std::shared_ptr<Staging> staging, const Runtime& runtime, const Staging::Transfer& transfer, cl_event gate,
          std::shared_ptr<void> pin)
      : staging_(std::move(staging)),
        runtime_(runtime),
        transfer_(transfer),
        gate_(runtime, gate),
        pin_(std::move(pin)) {
    check(runtime.clRetainMemObject(transfer.memory), "clRetainMemObject");
  }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  ~Pending() {
    end(CL_INVALID_OPERATION);
    runtime_.clReleaseMemObject.quietly(transfer_.memory);
  }

  /// Enqueues the transfer's end into the caller's queue, as a command on a user event, and returns that command's
  /// event.
  cl_event enqueueEnd(cl_context context, cl_command_queue queue) {
    cl_int status = CL_SUCCESS;
    const cl_event end = runtime_.clCreateUserEvent(context, &status);
    check(status, "clCreateUserEvent");
    userEventOpens(runtime_, end);
    if (gate_.get() != nullptr) eventFollows(end, gate_.get());
    end_ = end;
    const auto& entry =
        staging_->outOfOrder ? runtime_.clEnqueueMarkerWithWaitList : runtime_.clEnqueueBarrierWithWaitList;
    check(entry(queue, 1, &end_, &done_), entry.name);
    check(runtime_.clRetainEvent(done_), "clRetainEvent");
    runtime_.clFlush.quietly(queue);
    return done_;
  }

  void run() {
    try {
      await(runtime_, gate_.get());
      staging_->move(transfer_);
      end(CL_SUCCESS);
    } catch (const Failure& failure) {
      end(failure.status);
    }
  }

 private:
  void end(cl_int status) {
    if (end_ == nullptr) return;
    // Retried once: if the user event never ended, all later commands would wait forever.
    if (endUserEvent(runtime_, end_, status) != CL_SUCCESS) endUserEvent(runtime_, end_, status);
    userEventEnded(end_);
    // PoCL 3.1 does not call back for the commands that fail now.
    if (status < 0) endFailedWatches();
    runtime_.clReleaseEvent.quietly(end_);
    end_ = nullptr;
    // Released only now: PoCL 3.1 aborts when a failing event has no reference left (held_events.h).
    if (done_ != nullptr) runtime_.clReleaseEvent.quietly(done_);
  }

  const std::shared_ptr<Staging> staging_;
  const Runtime& runtime_;
  const Staging::Transfer transfer_;
  /// The event that the transfer waits for, or null.
  const OwnedEvent gate_;
  const std::shared_ptr<void> pin_;
  cl_event end_ = nullptr;
  cl_event done_ = nullptr;
};

/// Runs the transfer if it blocks; else starts it on a thread and returns the handle of its event.
Handle transfer(Call& call, const Slot& queue, const Staging::Transfer& request, const std::vector<cl_event>& events,
                bool blocking, std::shared_ptr<void> pin) {
  const std::shared_ptr<Staging> staging = queueRecord(queue).staging;
  if (staging == nullptr) invalid("prepareStaging() must be called first", 0);
  const Runtime& runtime = *queue.runtime;
  auto* const target = queue.as<cl_command_queue>();
  cl_event marker = nullptr;
  if (!staging->outOfOrder || !events.empty()) {
    check(runtime.clEnqueueMarkerWithWaitList(target, size(events), data(events), &marker),
          "clEnqueueMarkerWithWaitList");
    runtime.clFlush.quietly(target);
  }
  OwnedEvent gate(runtime, marker);
  if (blocking) {
    await(runtime, gate.get());
    staging->move(request);
    return 0;
  }
  const auto pending = std::make_shared<Pending>(staging, runtime, request, gate.take(), std::move(pin));
  const cl_event done = pending->enqueueEnd(static_cast<cl_context>(queue.context), target);
  const Handle handle = call.environment->handles.add(Kind::Event, done, runtime, queue.context);
  try {
    call.environment->channel->run(0, [pending] {
      pending->run();
      return 0.0;
    });
  } catch (const Failure&) {
    // No thread is available: the event fails when the last reference to the transfer is dropped.
  }
  return handle;
}

/// (queue, buffer, offset, host, hostOffset, bytes, blocking, waitFor?), like readBuffer and writeBuffer
template <bool Reading>
Napi::Value staged(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Slot buffer = memory(call, 1, queue);
  const size_t hostOffset = call.size(4);
  const size_t bytes = call.size(5);
  const bool blocking = call.boolean(6);
  const HostBytes host = call.hostMemory(3, blocking);
  if (hostOffset > host.bytes || bytes > host.bytes - hostOffset) invalid("the host array is too short", 3);
  std::shared_ptr<void> pin;
  if (!blocking) {
    pin = pinBackingStore(call.environment->channel, host.arrayBuffer);
    if (pin == nullptr) invalid("the host array cannot be pinned", 3);
  }
  const Handle done = transfer(call, queue, {Reading, buffer.as<cl_mem>(), call.size(2), host.data + hostOffset, bytes},
                               call.events(7, queue.context), blocking, std::move(pin));
  return blocking ? Napi::Value() : call.result(done);
}

/// stageLanding(queue, buffer, offset, bytes, waitFor?) -> [landing, event], like readLanding
Napi::Value stageLanding(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Slot buffer = memory(call, 1, queue);
  const size_t bytes = call.size(3);
  auto landing = std::make_shared<LandingRecord>(bytes);
  auto* const host = static_cast<uint8_t*>(landing->data);
  const Handle done = transfer(call, queue, {true, buffer.as<cl_mem>(), call.size(2), host, bytes},
                               call.events(4, queue.context), false, landing);
  const Handle handle = call.environment->handles.add(Kind::Map, landing.get(), *queue.runtime, queue.context, landing);
  return call.result(std::vector<Handle>{handle, done});
}

}  // namespace

void addStagingExports(Exports& exports) {
  exports.add({{"prepareStaging", function<prepareStaging>},
               {"stageRead", function<staged<true>>},
               {"stageWrite", function<staged<false>>},
               {"stageLanding", function<stageLanding>}});
}

}  // namespace cl
