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
#include "napi/landing_memory.h"
#include "objects/event.h"
#include "objects/queue_record.h"

namespace cl {
namespace {

constexpr size_t kPiece = 2 << 20;
/// Each lane copies into one piece of the ring while the device works on its other.
constexpr size_t kPiecesOfLane = 2;

}  // namespace

Staging::Staging(const Runtime& runtime, cl_context context, cl_device_id device, bool outOfOrder, size_t lanes)
    : outOfOrder(outOfOrder), runtime_(runtime), lanes_(lanes) {
  const size_t bytes = lanes * kPiecesOfLane * kPiece;
  cl_int status = CL_SUCCESS;
  queue_ = runtime.clCreateCommandQueue(context, device, 0, &status);
  check(status, "clCreateCommandQueue");
  ring_ = runtime.clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &status);
  if (status == CL_SUCCESS)
    memory_ = static_cast<uint8_t*>(runtime.clEnqueueMapBuffer(queue_, ring_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                                               bytes, 0, nullptr, nullptr, &status));
  if (status == CL_SUCCESS) return;
  if (ring_ != nullptr) runtime.clReleaseMemObject.quietly(ring_);
  runtime.clReleaseCommandQueue.quietly(queue_);
  check(status, "clEnqueueMapBuffer");
}

Staging::~Staging() {
  runtime_.clEnqueueUnmapMemObject.quietly(queue_, ring_, memory_, 0, nullptr, nullptr);
  runtime_.clReleaseMemObject.quietly(ring_);
  runtime_.clReleaseCommandQueue.quietly(queue_);
}

/// One thread's part of a transfer: the pieces that it takes, through its own places in the ring.
struct Staging::Lane {
  const Runtime& runtime;
  cl_command_queue queue;
  const Transfer& transfer;
  uint8_t* places;
  std::atomic<size_t>& taken;
  std::atomic<cl_int>& status;

  struct Place {
    cl_event busy = nullptr;
    size_t start = 0;
    size_t bytes = 0;
  };
  Place place[kPiecesOfLane] = {};

  bool failed(cl_int result) {
    if (result != CL_SUCCESS) status = result;
    return status != CL_SUCCESS;
  }

  /// Takes the next piece; false if there is none left.
  bool take(Place& one) {
    one.start = taken.fetch_add(kPiece);
    if (one.start >= transfer.bytes) return false;
    one.bytes = std::min(kPiece, transfer.bytes - one.start);
    return true;
  }

  /// Waits until the device is done with a place; false if it was not in use.
  bool wait(Place& one) {
    if (one.busy == nullptr) return false;
    failed(runtime.clWaitForEvents(1, &one.busy));
    runtime.clReleaseEvent(one.busy);
    one.busy = nullptr;
    return true;
  }

  uint8_t* at(size_t i) const { return places + i * kPiece; }

  void write() {
    for (size_t i = 0;; i = (i + 1) % kPiecesOfLane) {
      Place& one = place[i];
      wait(one);
      if (status != CL_SUCCESS || !take(one)) break;
      std::memcpy(at(i), transfer.host + one.start, one.bytes);
      if (failed(runtime.clEnqueueWriteBuffer(queue, transfer.memory, CL_FALSE, transfer.offset + one.start, one.bytes,
                                              at(i), 0, nullptr, &one.busy)))
        break;
      runtime.clFlush(queue);
    }
    for (Place& one : place) wait(one);
  }

  bool fetch(size_t i) {
    Place& one = place[i];
    if (status != CL_SUCCESS || !take(one)) return false;
    if (failed(runtime.clEnqueueReadBuffer(queue, transfer.memory, CL_FALSE, transfer.offset + one.start, one.bytes,
                                           at(i), 0, nullptr, &one.busy)))
      return false;
    runtime.clFlush(queue);
    return true;
  }

  void read() {
    for (size_t i = 0; i < kPiecesOfLane && fetch(i); ++i) continue;
    for (size_t i = 0; wait(place[i]); i = (i + 1) % kPiecesOfLane) {
      if (status == CL_SUCCESS) std::memcpy(transfer.host + place[i].start, at(i), place[i].bytes);
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
  std::atomic<size_t> taken = 0;
  std::atomic<cl_int> status = CL_SUCCESS;
  const size_t pieces = (transfer.bytes + kPiece - 1) / kPiece;
  const auto lane = [&](size_t i) {
    Lane{runtime_, queue_, transfer, memory_ + i * kPiecesOfLane * kPiece, taken, status}.run();
  };
  std::vector<std::thread> threads;
  try {
    for (size_t i = 1; i < std::min(lanes_, pieces); ++i) threads.emplace_back(lane, i);
  } catch (const std::exception&) {
    // The system has no thread left: those that there are do the work.
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

/// Waits for what a transfer comes after, and throws what became of that.
void await(const Runtime& runtime, cl_event gate) {
  if (gate != nullptr) check(runtime.clWaitForEvents(1, &gate), "clWaitForEvents");
}

/// A transfer that does not block, and all that it needs until it has ended.
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

  /// Puts the transfer's end into the caller's queue; its event.
  cl_event enter(cl_context context, cl_command_queue queue) {
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
    // A driver that would not take it may take it now; otherwise all that comes later would wait for ever.
    if (endUserEvent(runtime_, end_, status) != CL_SUCCESS) endUserEvent(runtime_, end_, status);
    userEventEnded(end_);
    runtime_.clReleaseEvent.quietly(end_);
    end_ = nullptr;
    // Not before: PoCL aborts when an event that fails has no reference left (held_events.h).
    if (done_ != nullptr) runtime_.clReleaseEvent.quietly(done_);
  }

  const std::shared_ptr<Staging> staging_;
  const Runtime& runtime_;
  const Staging::Transfer transfer_;
  /// What the transfer waits for.
  const OwnedEvent gate_;
  const std::shared_ptr<void> pin_;
  cl_event end_ = nullptr;
  cl_event done_ = nullptr;
};

/// Moves at once, or starts a thread that does and gives the handle of the event that tells.
Handle transfer(Call& call, const Slot& queue, const Staging::Transfer& what, const std::vector<cl_event>& events,
                bool blocking, std::shared_ptr<void> pin) {
  const std::shared_ptr<Staging> staging = queueRecord(queue).staging;
  if (staging == nullptr) invalid("prepareStaging comes first", 0);
  const Runtime& runtime = *queue.runtime;
  auto* const own = queue.as<cl_command_queue>();
  cl_event before = nullptr;
  if (!staging->outOfOrder || !events.empty()) {
    check(runtime.clEnqueueMarkerWithWaitList(own, size(events), data(events), &before), "clEnqueueMarkerWithWaitList");
    runtime.clFlush.quietly(own);
  }
  OwnedEvent gate(runtime, before);
  if (blocking) {
    await(runtime, gate.get());
    staging->move(what);
    return 0;
  }
  const auto pending = std::make_shared<Pending>(staging, runtime, what, gate.take(), std::move(pin));
  const cl_event done = pending->enter(static_cast<cl_context>(queue.context), own);
  const Handle handle = call.environment->handles.add(Kind::Event, done, runtime, queue.context);
  try {
    call.environment->channel->run(0, [pending] {
      pending->run();
      return 0.0;
    });
  } catch (const Failure&) {
    // No thread could be had: the event fails with the last reference to the transfer.
  }
  return handle;
}

/// (queue, buffer, offset, host, hostOffset, bytes, blocking, waitFor?), as readBuffer and writeBuffer
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

/// stageLanding(queue, buffer, offset, bytes, waitFor?) -> [landing, event], as readLanding
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
