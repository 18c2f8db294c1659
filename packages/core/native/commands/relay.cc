// Relays: parts of memory that a queue reads into messages in host memory, which another native addon exchanges for
// others, and writes back. JavaScript takes no part in a turn, so it may be busy or blocked meanwhile. @cl/mpi
// exchanges memory with other processes this way. The host memory belongs to the other addon, which may name another
// place for a message in each turn.
//
// A turn on an in-order queue consists of reads, copies from buffer to buffer of what stays on the device, a user event
// that the other addon ends through native/commands/relay.h, and writes of which the first waits for that event.
//
// The halves of a turn can be enqueued separately, with commands between that run meanwhile. Then all of the turn is on
// a queue of the relay's own, so that a device with a copy engine transfers while it computes. That queue waits for
// what was enqueued before the first half, and what is enqueued after the second one waits for it.
//
// An idle relay hands nothing over: its turns are the copies.
//
// Lifetime rule: once the user event exists it is ended on every path, because later commands wait for it. The other
// addon keeps the host memory until no turn and no command uses it.
#include <algorithm>
#include <span>

#include "commands/relay_turn.h"
#include "driver/dependencies.h"
#include "exports.h"
#include "napi/backing_store.h"
#include "objects/event.h"
#include "objects/loans.h"
#include "objects/queue.h"
#include "objects/queue_record.h"
#include "objects/rectangle.h"
#include "profiling/harvest.h"

namespace cl {
namespace {

/// A box of a buffer, and its place in a message.
struct Part {
  Handle memory;
  Loan loan;
  Rectangle box;
  uint32_t message;
  /// Bytes that the message must have at least.
  double end;
};

/// Where a part is in one turn.
struct Placed {
  cl_mem memory;
  uint8_t* host;
};

/// Two boxes of the same size: the first is copied to the second.
struct Copy {
  Handle from, to;
  Loan fromLoan, toLoan;
  Rectangle boxes;
};

/// A queue of a relay's own, for the turns whose halves are enqueued separately on a device.
struct SideQueue {
  cl_device_id device;
  bool profiling;
  cl_command_queue queue;
};

/// What a relay moves, and the last commands that use its host memory.
struct RelayRecord final : Record {
  const Runtime* runtime = nullptr;
  std::shared_ptr<RelayHolding> pin;
  /// Number of turns that were enqueued.
  uint64_t turns = 0;
  std::vector<Part> reads;
  std::vector<Copy> copies;
  std::vector<Part> writes;
  std::shared_ptr<Channel> channel;
  bool isIdle = false;
  std::vector<SideQueue> sideQueues;
  /// The event of the last command that uses the host memory, or null, and its queue.
  cl_event last = nullptr;
  const void* lastQueue = nullptr;
  /// Whether the second half of a turn was not enqueued yet.
  bool isOpen = false;
  /// The turn whose writes were not enqueued yet, and the relay's queue that it is on, or null.
  std::shared_ptr<RelayTurn> open;
  cl_command_queue openQueue = nullptr;

  ~RelayRecord() override {
    if (open != nullptr) open->endWrites();
    releaseLast();
    for (const SideQueue& side : sideQueues) runtime->clReleaseCommandQueue.quietly(side.queue);
  }

  std::vector<cl_command_queue> ownQueues() const override {
    std::vector<cl_command_queue> queues;
    for (const SideQueue& side : sideQueues) queues.push_back(side.queue);
    return queues;
  }

  void releaseLast() {
    if (last == nullptr) return;
    try {
      channel->watch(*runtime, last, CL_COMPLETE, 0, pin);
    } catch (const Failure&) {
      // The memory cannot be dropped in time, so it is leaked.
      new std::shared_ptr<void>(pin);
    }
    runtime->clReleaseEvent.quietly(last);
  }

  void replaceLast(cl_event event) {
    if (last != nullptr) runtime->clReleaseEvent.quietly(last);
    last = event;
  }
};

RelayRecord& relayOf(const Slot& slot) { return *static_cast<RelayRecord*>(slot.record.get()); }

/// createRelay(context, receiver: External, number, isIdle)
Napi::Value createRelay(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  const Napi::Value external = call.value(1);
  if (!external.IsExternal()) invalid("expected the receiver of another addon", 1);
  const auto* const receiver = external.As<Napi::External<cl_relay_receiver>>().Data();
  if (receiver == nullptr || receiver->version != CL_RELAY_VERSION)
    invalid("the receiver belongs to another version of this package", 1);
  auto record = std::make_shared<RelayRecord>();
  record->runtime = context.runtime;
  record->isIdle = call.boolean(3);
  record->pin = std::make_shared<RelayHolding>(*context.runtime, receiver, call.uint32(2));
  record->channel = call.environment->channel;
  return call.result(
      call.environment->handles.add(Kind::Relay, record.get(), *context.runtime, context.object, record));
}

/// relayRead, relayWrite: (relay, memory, message). The rectangle's first side is the memory, the second the message.
template <bool Reading>
Napi::Value addPart(Call& call) {
  const Slot& relay = call.slot(0, Kind::Relay);
  const Slot& memory = call.slot(1, Kind::Memory);
  if (memory.context != relay.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "memory", 1};
  RelayRecord& record = relayOf(relay);
  const double* const numbers = call.environment->numbers();
  const Part part{call.integer(1), Loan(memory), Rectangle(numbers), call.uint32(2), Rectangle::secondEnd(numbers)};
  (Reading ? record.reads : record.writes).push_back(part);
  return {};
}

/// relayCopy(relay, from, to)
Napi::Value addCopy(Call& call) {
  const Slot& relay = call.slot(0, Kind::Relay);
  const Slot& from = call.slot(1, Kind::Memory);
  const Slot& to = call.slot(2, Kind::Memory);
  if (from.context != relay.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "memory", 1};
  if (to.context != relay.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "memory", 2};
  relayOf(relay).copies.push_back(
      {call.integer(1), call.integer(2), Loan(from), Loan(to), Rectangle(call.environment->numbers())});
  return {};
}

/// Returns the memory of a part if it has not been released.
cl_mem usableMemory(Call& call, const Slot& queue, Handle memory, const Loan& loan) {
  const Slot& slot = call.environment->handles.get(memory, Kind::Memory, 1);
  if (!loan.isCurrent()) throw Failure{"DISPOSED", {}, CL_SUCCESS, kindName(Kind::Memory), 1};
  noteMemoryUse(slot, queue);
  return slot.as<cl_mem>();
}

/// Returns where all parts are in a turn after checking them, before anything is enqueued.
std::vector<Placed> placesOf(Call& call, const Slot& queue, const RelayRecord& record, const std::vector<Part>& parts,
                             uint64_t turn) {
  RelayHolding& holding = *record.pin;
  const cl_relay_receiver& receiver = *holding.receiver;
  std::vector<Placed> places;
  places.reserve(parts.size());
  for (const Part& part : parts) {
    auto* const memory = usableMemory(call, queue, part.memory, part.loan);
    cl_relay_place place{};
    receiver.place(receiver.receiver, holding.number, part.message, turn, &place);
    if (!(part.end <= static_cast<double>(place.bytes))) invalid("a part is longer than its message", 1);
    holding.addBlock(static_cast<cl_context>(queue.context), place);
    places.push_back({memory, place.data});
  }
  return places;
}

/// Checks the memory of the copies, before anything is enqueued.
std::vector<cl_mem> copiedMemory(Call& call, const Slot& queue, const RelayRecord& record) {
  std::vector<cl_mem> memory;
  for (const Copy& copy : record.copies) {
    memory.push_back(usableMemory(call, queue, copy.from, copy.fromLoan));
    memory.push_back(usableMemory(call, queue, copy.to, copy.toLoan));
  }
  return memory;
}

/// Returns an event with one more reference.
cl_event retained(const Runtime& runtime, cl_event event) {
  check(runtime.clRetainEvent(event), "clRetainEvent");
  return event;
}

cl_event enqueueMarker(const Slot& queue, const std::vector<cl_event>& waits) {
  cl_event marker = nullptr;
  check(queue.runtime->clEnqueueMarkerWithWaitList(queue.as<cl_command_queue>(), size(waits), data(waits), &marker),
        "clEnqueueMarkerWithWaitList");
  return marker;
}

/// Enqueues the reads or the writes; the first waits for `waits`, and writes for `turn`, too. Returns the event of the
/// last.
template <bool Reading>
cl_event enqueueParts(const Slot& queue, const RelayRecord& record, std::span<const Part> parts,
                      std::span<const Placed> places, std::vector<cl_event> waits, RelayTurn* turn) {
  if (turn != nullptr) waits.push_back(turn->user);
  const Runtime& runtime = *queue.runtime;
  auto* const target = queue.as<cl_command_queue>();
  if (parts.empty()) return enqueueMarker(queue, waits);
  // Of the later parts. In order, they run after the first, but NVIDIA's driver reads host memory early
  // (pending_reads.h).
  const bool isGated = turn != nullptr && queueRecord(queue).readsHostEarly;
  cl_event event = nullptr;
  try {
    for (size_t i = 0; i < parts.size(); ++i) {
      const Rectangle& box = parts[i].box;
      const bool isFirst = i == 0;
      cl_event* const wanted = i + 1 == parts.size() ? &event : nullptr;
      const cl_uint count = isFirst ? size(waits) : (isGated ? 1 : 0);
      const cl_event* const list = isFirst ? data(waits) : (isGated ? &turn->user : nullptr);
      if constexpr (Reading) {
        check(runtime.clEnqueueReadBufferRect(target, places[i].memory, CL_FALSE, box.first, box.second, box.region,
                                              box.firstRow, box.firstSlice, box.secondRow, box.secondSlice,
                                              places[i].host, count, list, wanted),
              "clEnqueueReadBufferRect");
      } else {
        check(runtime.clEnqueueWriteBufferRect(target, places[i].memory, CL_FALSE, box.first, box.second, box.region,
                                               box.firstRow, box.firstSlice, box.secondRow, box.secondSlice,
                                               places[i].host, count, list, wanted),
              "clEnqueueWriteBufferRect");
      }
    }
  } catch (const Failure&) {
    if (turn != nullptr) turn->endWrites();
    // The parts before use the host memory, and there is no event to wait for.
    finishOrLeak(queue, record.pin);
    throw;
  }
  return event;
}

/// Enqueues the copies, whose memory must be usable.
void enqueueCopies(const Slot& queue, const RelayRecord& record, const std::vector<cl_mem>& memory) {
  for (size_t i = 0; i < record.copies.size(); ++i) {
    const Rectangle& boxes = record.copies[i].boxes;
    check(queue.runtime->clEnqueueCopyBufferRect(
              queue.as<cl_command_queue>(), memory[2 * i], memory[2 * i + 1], boxes.first, boxes.second, boxes.region,
              boxes.firstRow, boxes.firstSlice, boxes.secondRow, boxes.secondSlice, 0, nullptr, nullptr),
          "clEnqueueCopyBufferRect");
  }
}

/// Returns a queue of the relay's own on the device of another one.
cl_command_queue sideQueueOf(RelayRecord& record, const Slot& queue) {
  const Runtime& runtime = *queue.runtime;
  const bool profiling = queueRecord(queue).profiling;
  cl_device_id device = nullptr;
  check(runtime.clGetCommandQueueInfo(queue.as<cl_command_queue>(), CL_QUEUE_DEVICE, sizeof device, &device, nullptr),
        "clGetCommandQueueInfo");
  for (const SideQueue& side : record.sideQueues)
    if (side.device == device && side.profiling == profiling) return side.queue;
  cl_int status = CL_SUCCESS;
  auto* const context = static_cast<cl_context>(queue.context);
  auto* const created =
      runtime.clCreateCommandQueue(context, device, profiling ? CL_QUEUE_PROFILING_ENABLE : 0, &status);
  check(status, "clCreateCommandQueue");
  forgetQueue(created);
  record.sideQueues.push_back({device, profiling, created});
  return created;
}

/// Enqueues the copies of an idle relay.
void beginIdle(Call& call, const Slot& queue, RelayRecord& record) {
  const auto waits = call.events(2, queue.context);
  const std::vector<cl_mem> copied = copiedMemory(call, queue, record);
  if (!waits.empty()) queue.runtime->clReleaseEvent.quietly(enqueueMarker(queue, waits));
  enqueueCopies(queue, record, copied);
}

/// Enqueues the first half, `apart` from the commands of the queue or among them.
void beginTurn(Call& call, const Slot& queue, RelayRecord& record, bool apart) {
  const Runtime& runtime = *queue.runtime;
  const auto places = placesOf(call, queue, record, record.reads, record.turns);
  const std::vector<cl_mem> copied = copiedMemory(call, queue, record);
  auto waits = call.events(2, queue.context);
  Slot target = queue;
  OwnedEvent before(runtime);
  record.openQueue = apart ? sideQueueOf(record, queue) : nullptr;
  if (apart) {
    target.object = record.openQueue;
    before.replace(enqueueMarker(queue, waits));
    waits = {before.get()};
    runtime.clFlush.quietly(queue.as<cl_command_queue>());
  }
  // On another queue, the reads would overwrite the host memory of the turn before.
  const bool isOtherQueue = record.last != nullptr && record.lastQueue != target.object;
  if (isOtherQueue && statusOf(runtime, record.last, -1) >= 0) waits.push_back(record.last);
  const cl_event read = enqueueParts<true>(target, record, record.reads, places, std::move(waits), nullptr);
  record.replaceLast(read);
  record.lastQueue = target.object;
  enqueueCopies(target, record, copied);
  cl_int status = CL_SUCCESS;
  const cl_event user = runtime.clCreateUserEvent(static_cast<cl_context>(queue.context), &status);
  check(status, "clCreateUserEvent");
  userEventOpens(runtime, user);
  eventFollows(user, read);
  record.open = std::make_shared<RelayTurn>(runtime, user, record.pin, record.turns++);
  auto reference = std::make_unique<std::shared_ptr<RelayTurn>>(record.open);
  try {
    record.channel->watch(runtime, read, [reference = reference.get()](cl_int ended) {
      const RelayHolding& holding = *(*reference)->pin;
      const cl_relay_receiver& receiver = *holding.receiver;
      receiver.begin(receiver.receiver, holding.number, (*reference)->number, ended < 0 ? ended : 0, reference,
                     RelayTurn::end);
    });
    reference.release();
  } catch (...) {
    record.open->endWrites();
    std::exchange(record.open, nullptr)->end(CL_OUT_OF_HOST_MEMORY);
    throw;
  }
  if (apart) runtime.clFlush.quietly(target.as<cl_command_queue>());
}

/// Records how long the queue waits after its commands before: until the first write starts, or for a turn on the
/// relay's own queue until the last one has ended.
void addWait(Call& call, const Slot& queue, const std::shared_ptr<Statistics>& waits, OwnedEvent& before,
             OwnedEvent& event, WaitEnd end) {
  harvestOf(*call.environment, queue).addWait(waits, before.take(), event.take(), end);
}

/// Enqueues the writes of a turn that is among the commands of the queue, and records the wait.
cl_event enqueueTimedWrites(Call& call, const Slot& queue, const RelayRecord& record, std::span<const Placed> places,
                            RelayTurn& turn, const std::shared_ptr<Statistics>& waits) {
  const Runtime& runtime = *queue.runtime;
  OwnedEvent before(runtime, retained(runtime, record.last));
  const std::span parts(record.writes);
  const size_t one = std::min<size_t>(parts.size(), 1);
  OwnedEvent first(runtime, enqueueParts<false>(queue, record, parts.first(one), places.first(one), {}, &turn));
  const size_t rest = parts.size() - one;
  OwnedEvent last(runtime, rest == 0
                               ? enqueueMarker(queue, {})
                               : enqueueParts<false>(queue, record, parts.last(rest), places.last(rest), {}, &turn));
  // NVIDIA's driver has no times of a marker that waits for a user event.
  addWait(call, queue, waits, before, parts.empty() ? last : first, WaitEnd::Start);
  return parts.empty() ? first.take() : last.take();
}

/// Lets later commands of the queue wait for a turn on the relay's own queue, and records the wait. Returns the event
/// of the command that waits.
cl_event joinTurn(Call& call, const Slot& queue, const Slot& side, const RelayRecord& record,
                  const std::shared_ptr<Statistics>& waits) {
  const Runtime& runtime = *queue.runtime;
  OwnedEvent before(runtime);
  if (waits != nullptr) before.replace(enqueueMarker(queue, {}));
  OwnedEvent joined(runtime, enqueueMarker(queue, {record.last}));
  if (waits != nullptr) {
    // See enqueueTimedWrites().
    OwnedEvent written(runtime, record.writes.empty() ? enqueueMarker(side, {}) : retained(runtime, record.last));
    addWait(call, queue, waits, before, written, WaitEnd::End);
  }
  return joined.take();
}

/// Enqueues the second half. Returns the event of the last command, which the caller owns.
cl_event endTurn(Call& call, const Slot& queue, RelayRecord& record, const std::shared_ptr<Statistics>& waits) {
  const Runtime& runtime = *queue.runtime;
  const bool apart = record.openQueue != nullptr;
  Slot target = queue;
  if (apart) target.object = record.openQueue;
  const std::shared_ptr<RelayTurn> turn = std::exchange(record.open, nullptr);
  OwnedEvent last(runtime);
  try {
    const auto places = placesOf(call, queue, record, record.writes, turn->number);
    const cl_event written = apart || waits == nullptr
                                 ? enqueueParts<false>(target, record, record.writes, places, {}, turn.get())
                                 : enqueueTimedWrites(call, queue, record, places, *turn, waits);
    record.replaceLast(written);
    record.lastQueue = target.object;
    last.replace(apart ? joinTurn(call, queue, target, record, waits) : retained(runtime, written));
  } catch (...) {
    turn->endWrites();
    throw;
  }
  turn->endWrites();
  runtime.clFlush.quietly(target.as<cl_command_queue>());
  if (apart) runtime.clFlush.quietly(queue.as<cl_command_queue>());
  return last.take();
}

/// Ends a turn of an idle relay, which waits for nothing.
cl_event endIdle(Call& call, const Slot& queue, const std::shared_ptr<Statistics>& waits) {
  const Runtime& runtime = *queue.runtime;
  OwnedEvent last(runtime, enqueueMarker(queue, {}));
  if (waits != nullptr) {
    OwnedEvent before(runtime, retained(runtime, last.get()));
    OwnedEvent event(runtime, retained(runtime, last.get()));
    addWait(call, queue, waits, before, event, WaitEnd::End);
  }
  return last.take();
}

/// launchRelay(queue, relay, waitFor?, half: 0 whole, 1 reads, 2 writes, wantEvent, statistics of the waits or 0) ->
/// event of the second half
Napi::Value launchRelay(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Slot relay = call.slot(1, Kind::Relay);
  if (relay.context != queue.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "relay", 1};
  if (!queueRecord(queue).inOrder) invalid("expected an in-order queue", 0);
  // Held: getters of the wait list may release the relay.
  const std::shared_ptr<Record> held = relay.record;
  RelayRecord& record = relayOf(relay);
  const int32_t half = call.integer(3);
  std::shared_ptr<Statistics> statistics;
  if (call.integer(5) != 0) statistics = statisticsOf(call.slot(5, Kind::Statistics)).shared_from_this();
  if (half != 2) {
    if (record.isOpen) invalid("the relay's writes of the turn before were not enqueued", 1);
    record.isIdle ? beginIdle(call, queue, record) : beginTurn(call, queue, record, half == 1);
    record.isOpen = true;
  }
  if (half == 1) return {};
  if (!std::exchange(record.isOpen, false)) invalid("the relay's reads were not enqueued", 1);
  const bool wanted = call.boolean(4);
  if (!isCounted(queue, statistics)) statistics.reset();
  if (record.isIdle && !wanted && !statistics) return {};
  OwnedEvent last(*queue.runtime,
                  record.isIdle ? endIdle(call, queue, statistics) : endTurn(call, queue, record, statistics));
  if (!wanted) return {};
  return call.result(call.environment->handles.add(Kind::Event, last.take(), *queue.runtime, queue.context));
}

/// pinMemory(host) -> an external value that holds the memory, or undefined if it cannot be pinned
Napi::Value pinMemory(Call& call) {
  call.environment->requireInitialized();
  const HostBytes host = call.hostMemory(0, false);
  std::shared_ptr<void> pin = pinBackingStore(call.environment->channel, host.arrayBuffer);
  if (pin == nullptr) return {};
  return Napi::External<std::shared_ptr<void>>::New(call.env, new std::shared_ptr<void>(std::move(pin)),
                                                    [](Napi::Env, std::shared_ptr<void>* held) { delete held; });
}

}  // namespace

void addRelayExports(Exports& exports) {
  exports.add({{"createRelay", function<createRelay>},
               {"relayRead", function<addPart<true>>},
               {"relayWrite", function<addPart<false>>},
               {"relayCopy", function<addCopy>},
               {"launchRelay", function<launchRelay>},
               {"pinMemory", function<pinMemory>}});
}

}  // namespace cl
