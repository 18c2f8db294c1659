// Launch lists: commands recorded once and enqueued by one call.
//
// A list stores handles and caches the pointers behind them. The cache is valid while the handle table's epoch is
// unchanged, so replaying a list needs one comparison and no lookups.
#include "commands/scalar_patch.h"
#include "exports.h"
#include "objects/barrier.h"
#include "objects/event.h"
#include "objects/kernel.h"
#include "objects/loans.h"
#include "objects/queue.h"
#include "objects/queue_record.h"
#include "profiling/harvest.h"

namespace cl {
namespace {

enum class CommandKind : uint8_t { Kernel, Copy, Fill, Barrier };

struct Command {
  CommandKind kind;
  Handle first = 0;
  Handle second = 0;
  cl_kernel kernel = nullptr;
  KernelRecord* record = nullptr;
  cl_mem source = nullptr;
  cl_mem target = nullptr;
  /// Loans of the source and the target; see loans.h.
  Loan loans[2];
  size_t sourceOffset = 0;
  size_t targetOffset = 0;
  size_t bytes = 0;
  std::vector<uint8_t> pattern;
  /// Indices of earlier commands that must end before this one starts, on out-of-order queues.
  std::vector<uint32_t> after;
  /// The same for traces, as distances to the earlier commands.
  Predecessors predecessors;
  /// Whether a later command waits for this one.
  bool hasSuccessors = false;
  /// Scalars set at each launch: a range of the list's patches.
  size_t firstPatch = 0;
  size_t patches = 0;
  /// Statistics to record into on profiling queues; by default the kernel's.
  std::shared_ptr<Statistics> statistics;
};

struct ListRecord final : Record {
  /// On an out-of-order queue, the list starts when everything enqueued before it has ended.
  bool startsAfterPrevious = false;
  /// Whether any command waits for another.
  bool hasDependencies = false;
  std::vector<Command> commands;
  std::vector<ScalarPatch> patches;
  uint64_t checkedEpoch = 0;
};

ListRecord& listOf(const Slot& slot) { return *static_cast<ListRecord*>(slot.record.get()); }

/// Looks up the objects of one command. Every failure carries the command's position, even one about an argument.
void confirm(Environment& environment, const Slot& list, Command& command, int position) {
  HandleTable& handles = environment.handles;
  const auto lookUp = [&](Handle handle, Kind kind, const Loan* loan = nullptr) -> const Slot& {
    const Slot& slot = handles.get(handle, kind, position);
    if (slot.context != list.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "command", position};
    if (loan != nullptr && !loan->isCurrent()) throw Failure{"DISPOSED", {}, CL_SUCCESS, kindName(kind), position};
    return slot;
  };
  switch (command.kind) {
    case CommandKind::Kernel: {
      const Slot& slot = lookUp(command.first, Kind::Kernel);
      command.kernel = slot.as<cl_kernel>();
      command.record = &recordOf(slot);
      try {
        confirmArguments(environment, *command.record);
      } catch (Failure& failure) {
        failure.position = position;
        throw;
      }
      break;
    }
    case CommandKind::Copy:
      command.source = lookUp(command.first, Kind::Memory, &command.loans[0]).as<cl_mem>();
      command.target = lookUp(command.second, Kind::Memory, &command.loans[1]).as<cl_mem>();
      break;
    case CommandKind::Fill:
      command.target = lookUp(command.first, Kind::Memory, &command.loans[0]).as<cl_mem>();
      break;
    case CommandKind::Barrier:
      break;
  }
}

void confirmAll(Environment& environment, const Slot& list, ListRecord& record) {
  for (size_t i = 0; i < record.commands.size(); ++i)
    confirm(environment, list, record.commands[i], static_cast<int>(i));
  record.checkedEpoch = environment.handles.epoch();
}

/// createList(context, startsAfterPrevious)
Napi::Value createList(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  auto record = std::make_shared<ListRecord>();
  record->startsAfterPrevious = call.boolean(1);
  return call.result(call.environment->handles.add(Kind::List, record.get(), *context.runtime, context.object, record));
}

/// Appends a command. `after` is the position of the Int32Array of commands that it waits for.
Napi::Value push(Call& call, Command command, size_t after) {
  const Slot& list = call.slot(0, Kind::List);
  // Only the new command: the others are checked when the list is launched.
  confirm(*call.environment, list, command, -1);
  std::vector<Command>& commands = listOf(list).commands;
  for (const int32_t i : call.integers(after)) {
    if (i < 0 || static_cast<size_t>(i) >= commands.size())
      invalid("the list has no such command", static_cast<int>(after));
    command.after.push_back(static_cast<uint32_t>(i));
  }
  for (const uint32_t i : command.after) commands[i].hasSuccessors = true;
  if (!command.after.empty()) {
    std::vector<uint32_t> distances;
    for (const uint32_t i : command.after) distances.push_back(static_cast<uint32_t>(commands.size()) - i);
    command.predecessors = std::make_shared<const std::vector<uint32_t>>(std::move(distances));
    listOf(list).hasDependencies = true;
  }
  commands.push_back(std::move(command));
  return {};
}

/// pushKernel(list, boundKernel, after, scalars: Int32Array of [argument, type, index of the list's value])
Napi::Value pushKernel(Call& call) {
  Command command{CommandKind::Kernel};
  command.first = call.integer(1);
  const KernelRecord& record = recordOf(call.slot(1, Kind::Kernel));
  if (!record.bound) invalid("expected a bound kernel", 1);
  const auto scalars = call.integers(3);
  std::vector<ScalarPatch>& patches = listOf(call.slot(0, Kind::List)).patches;
  std::vector<ScalarPatch> added;
  for (size_t i = 0; i + 2 < scalars.size(); i += 3)
    added.emplace_back(record, scalars[i], scalars[i + 1], scalars[i + 2]);
  command.firstPatch = patches.size();
  command.patches = added.size();
  push(call, std::move(command), 2);
  patches.insert(patches.end(), added.begin(), added.end());
  return {};
}

/// pushCopy(list, source, target, sourceOffset, targetOffset, bytes, after)
Napi::Value pushCopy(Call& call) {
  Command command{CommandKind::Copy};
  command.first = call.integer(1);
  command.second = call.integer(2);
  command.loans[0] = Loan(call.slot(1, Kind::Memory));
  command.loans[1] = Loan(call.slot(2, Kind::Memory));
  command.sourceOffset = call.size(3);
  command.targetOffset = call.size(4);
  command.bytes = call.size(5);
  return push(call, std::move(command), 6);
}

/// pushFill(list, target, pattern, offset, bytes, after)
Napi::Value pushFill(Call& call) {
  Command command{CommandKind::Fill};
  const HostBytes pattern = call.bytes(2);
  command.first = call.integer(1);
  command.loans[0] = Loan(call.slot(1, Kind::Memory));
  command.pattern.assign(pattern.data, pattern.data + pattern.bytes);
  command.targetOffset = call.size(3);
  command.bytes = call.size(4);
  return push(call, std::move(command), 5);
}

/// countLastCommand(list, statistics): sets the statistics of the last command.
Napi::Value countLastCommand(Call& call) {
  std::vector<Command>& commands = listOf(call.slot(0, Kind::List)).commands;
  if (commands.empty()) invalid("the list has no commands", 0);
  commands.back().statistics = statisticsOf(call.slot(1, Kind::Statistics)).shared_from_this();
  return {};
}

/// pushBarrier(list, after)
Napi::Value pushBarrier(Call& call) { return push(call, Command{CommandKind::Barrier}, 1); }

// always_inline: gcc does not inline this, confirmFits() and prepare() because each has two callers. 4.2 instead of
// 6.8 ns per kernel (bench: list-20-null).
[[gnu::always_inline]] inline cl_int enqueue(const Runtime& runtime, cl_command_queue queue, const Command& command,
                                             cl_uint waits, const cl_event* events, cl_event* event) {
  switch (command.kind) {
    case CommandKind::Kernel: {
      const Sizes& sizes = command.record->sizes;
      return runtime.clEnqueueNDRangeKernel(queue, command.kernel, sizes.dimensions,
                                            sizes.hasOffset ? sizes.offset : nullptr, sizes.global,
                                            sizes.hasLocal ? sizes.local : nullptr, waits, events, event);
    }
    case CommandKind::Copy:
      return runtime.clEnqueueCopyBuffer(queue, command.source, command.target, command.sourceOffset,
                                         command.targetOffset, command.bytes, waits, events, event);
    case CommandKind::Fill:
      return runtime.clEnqueueFillBuffer(queue, command.target, command.pattern.data(), command.pattern.size(),
                                         command.targetOffset, command.bytes, waits, events, event);
    case CommandKind::Barrier:
      return runtime.clEnqueueBarrierWithWaitList(queue, waits, events, event);
  }
  return CL_INVALID_VALUE;
}

[[gnu::always_inline]] inline void confirmFits(const Environment& environment, const Slot& queue,
                                               const Command& command, int position) {
  try {
    confirmLocalMemory(environment, queue, command.kernel, *command.record);
  } catch (Failure& failure) {
    failure.position = position;
    throw;
  }
}

const char* routineOf(CommandKind kind) {
  switch (kind) {
    case CommandKind::Kernel:
      return "clEnqueueNDRangeKernel";
    case CommandKind::Copy:
      return "clEnqueueCopyBuffer";
    case CommandKind::Fill:
      return "clEnqueueFillBuffer";
    case CommandKind::Barrier:
      return "clEnqueueBarrierWithWaitList";
  }
  return "";
}

/// Converts the list's values, which are in the scratch block in place of arguments.
void takeValues(const Environment& environment, ListRecord& record, size_t count) {
  constexpr size_t kFirst = 128;
  if (kFirst + count * sizeof(double) > environment.scratchBytes) invalid("too many values");
  const auto* values = reinterpret_cast<const double*>(environment.scratch + kFirst);
  for (ScalarPatch& patch : record.patches)
    if (patch.value() >= count || !patch.take(values[patch.value()])) invalid("the value does not fit its argument");
}

/// The events of a list's commands while it is enqueued on an out-of-order queue.
class Chain final {
 public:
  Chain(const Slot& queue, const std::vector<Command>& commands)
      : queue_(queue), commands_(commands), start_(*queue.runtime), events_(*queue.runtime) {
    events_.list.resize(commands.size());
  }

  /// Makes the list start after everything that was enqueued before it. `isFirst`: this launch has enqueued nothing
  /// yet.
  void startAfterPrevious(bool isFirst) {
    startsAfterPrevious_ = true;
    const Runtime& runtime = *queue_.runtime;
    QueueRecord& record = queueRecord(queue_);
    if (isFirst && !record.shared) {
      for (const cl_event event : record.tail.before(queue_)) {
        check(runtime.clRetainEvent(event), "clRetainEvent");
        start_.list.push_back(event);
      }
    }
    if (!start_.list.empty()) return;
    cl_event barrier = nullptr;
    check(runtime.clEnqueueBarrierWithWaitList(queue_.as<cl_command_queue>(), 0, nullptr, &barrier),
          "clEnqueueBarrierWithWaitList");
    start_.list.push_back(barrier);
  }
  /// Returns the wait list of command `i`.
  const std::vector<cl_event>& waitListOf(size_t i) {
    const bool afterAll = commands_[i].kind == CommandKind::Barrier;
    if (commands_[i].after.empty() && !afterAll) return start_.list;
    waits_.clear();
    for (const uint32_t k : commands_[i].after) waits_.push_back(events_.list[k]);
    return waits_;
  }
  /// Returns where to store the event of command `i`, or null if it needs none.
  cl_event* eventOf(size_t i) {
    return startsAfterPrevious_ || commands_[i].hasSuccessors ? &events_.list[i] : nullptr;
  }
  /// Hands the events of the last commands to the queue's tail. Must be called after the last command.
  void end() {
    if (!startsAfterPrevious_) return;
    std::vector<cl_event> ends;
    for (size_t i = 0; i < commands_.size(); ++i)
      if (events_.list[i] != nullptr && !commands_[i].hasSuccessors)
        ends.push_back(std::exchange(events_.list[i], nullptr));
    if (ends.empty()) ends.swap(start_.list);
    if (ends.size() > kMaxEnds) join(ends);
    queueRecord(queue_).tail.end(queue_, std::move(ends));
  }

 private:
  /// Above this, the end events are joined: each command of the next list may wait for all of them.
  static constexpr size_t kMaxEnds = 32;

  /// Replaces the events by one marker.
  void join(std::vector<cl_event>& events) const {
    OwnedEvents joined(*queue_.runtime);
    joined.list.swap(events);
    cl_event marker = nullptr;
    check(queue_.runtime->clEnqueueMarkerWithWaitList(queue_.as<cl_command_queue>(), size(joined.list),
                                                      data(joined.list), &marker),
          "clEnqueueMarkerWithWaitList");
    events.push_back(marker);
  }

  const Slot& queue_;
  const std::vector<Command>& commands_;
  bool startsAfterPrevious_ = false;
  OwnedEvents start_;
  OwnedEvents events_;
  std::vector<cl_event> waits_;
};

/// Returns the statistics of a command, or null.
const std::shared_ptr<Statistics>& countedIn(const Command& command) {
  const bool hasOwn = command.statistics || command.kind != CommandKind::Kernel;
  return hasOwn ? command.statistics : command.record->statistics;
}

/// Enqueues a command with statistics. The harvest owns its event; `eventOut` gets a second reference.
cl_int enqueueCounted(Environment& environment, const Slot& queue, const Command& command,
                      const std::shared_ptr<Statistics>& statistics, const std::vector<cl_event>& waits,
                      cl_event* eventOut, const CommandOrder* order) {
  const Runtime& runtime = *queue.runtime;
  cl_event event = nullptr;
  const uint64_t called = callTime(*statistics);
  const cl_int status = enqueue(runtime, queue.as<cl_command_queue>(), command, size(waits), data(waits), &event);
  if (status != CL_SUCCESS) return status;
  if (eventOut != nullptr) {
    *eventOut = event;
    if (runtime.clRetainEvent(event) != CL_SUCCESS) {
      statistics->untimed();
      return CL_SUCCESS;
    }
  }
  harvest(environment, queue, statistics, event, command.kind == CommandKind::Kernel ? &command.record->sizes : nullptr,
          called, order);
  return CL_SUCCESS;
}

void applyPatches(const Runtime& runtime, const ListRecord& record, const Command& command, int position) {
  for (size_t k = 0; k < command.patches; ++k) {
    const cl_int status = record.patches[command.firstPatch + k].apply(runtime, command.kernel, *command.record);
    if (status != CL_SUCCESS) [[unlikely]]
      throw Failure{"DRIVER", "clSetKernelArg", status, "command", position};
  }
}

/// Prepares a command for its launch: sets scalars, checks local memory and records which memory the queue uses.
[[gnu::always_inline]] inline void prepare(Environment& environment, const Slot& queue, const ListRecord& record,
                                           const Command& command, bool patched, int position) {
  if (command.kind == CommandKind::Kernel) {
    if (patched) applyPatches(*queue.runtime, record, command, position);
    confirmFits(environment, queue, command, position);
    noteUse(environment, queue, *command.record);
  } else {
    for (const Loan& loan : command.loans) {
      if (loan.state) [[unlikely]]
        loan.state->use(queue);
    }
  }
}

inline void confirmEnqueued(cl_int status, const Command& command, int position) {
  if (status != CL_SUCCESS) [[unlikely]]
    throw Failure{"DRIVER", routineOf(command.kind), status, "command", position};
}

/// The fastest path: an in-order queue without profiling, no events.
void enqueueInOrder(Environment& environment, const Slot& queue, const ListRecord& record, bool patched) {
  const Runtime& runtime = *queue.runtime;
  const auto target = queue.as<cl_command_queue>();
  for (size_t i = 0; i < record.commands.size(); ++i) {
    const Command& command = record.commands[i];
    prepare(environment, queue, record, command, patched, static_cast<int>(i));
    confirmEnqueued(enqueue(runtime, target, command, 0, nullptr, nullptr), command, static_cast<int>(i));
  }
}

/// Enqueues a command, with statistics if the queue profiles and the command has any.
cl_int enqueueTimed(Environment& environment, const Slot& queue, const Command& command,
                    const std::vector<cl_event>& waits, cl_event* eventOut, const CommandOrder* order) {
  const std::shared_ptr<Statistics>& statistics = countedIn(command);
  if (isCounted(queue, statistics))
    return enqueueCounted(environment, queue, command, statistics, waits, eventOut, order);
  return enqueue(*queue.runtime, queue.as<cl_command_queue>(), command, size(waits), data(waits), eventOut);
}

/// Enqueues the list on an in-order profiling queue.
void enqueueTimedInOrder(Environment& environment, const Slot& queue, const ListRecord& record, bool patched) {
  const std::vector<cl_event> noEvents;
  for (size_t i = 0; i < record.commands.size(); ++i) {
    const Command& command = record.commands[i];
    prepare(environment, queue, record, command, patched, static_cast<int>(i));
    confirmEnqueued(enqueueTimed(environment, queue, command, noEvents, nullptr, nullptr), command,
                    static_cast<int>(i));
  }
}

/// Enqueues the list on an out-of-order queue.
void enqueueChained(Environment& environment, const Slot& queue, const ListRecord& record, bool patched, bool isFirst) {
  Chain chain(queue, record.commands);
  if (record.startsAfterPrevious) chain.startAfterPrevious(isFirst);
  const bool traced = record.hasDependencies && queueRecord(queue).profiling;
  const uint64_t serial = traced ? takeSerials(environment, record.commands.size()) : 0;
  for (size_t i = 0; i < record.commands.size(); ++i) {
    const Command& command = record.commands[i];
    prepare(environment, queue, record, command, patched, static_cast<int>(i));
    const CommandOrder order{serial + i, command.predecessors};
    const cl_int status =
        enqueueTimed(environment, queue, command, chain.waitListOf(i), chain.eventOf(i), traced ? &order : nullptr);
    confirmEnqueued(status, command, static_cast<int>(i));
  }
  chain.end();
}

/// launchList(queue, list, 2 * values + wantEvent, waitFor?) -> the event of a marker after the last command, or
/// undefined. The wait list is enqueued as a barrier, so that on an out-of-order queue all commands wait for it.
/// `values` is the number of values in the scratch block; with 0 the scalars keep their values.
Napi::Value launchList(Call& call) {
  Environment& environment = *call.environment;
  const Slot& list = call.slot(1, Kind::List);
  const Slot& queue = call.slot(0, Kind::Queue);
  if (queue.context != list.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "queue", -1};
  ListRecord& record = listOf(list);
  if (record.checkedEpoch != environment.handles.epoch()) [[unlikely]]
    confirmAll(environment, list, record);
  const uint32_t valuesAndEvent = call.uint32(2);
  const bool patched = valuesAndEvent > 1;
  if (patched) takeValues(environment, record, valuesAndEvent >> 1);
  const Runtime& runtime = *queue.runtime;
  const auto target = queue.as<cl_command_queue>();
  const auto waits = call.count() > 3 ? call.events(3, queue.context) : std::vector<cl_event>();
  if (!waits.empty()) enqueueBarrier(queue, waits);
  QueueRecord& queued = queueRecord(queue);
  if (!queued.inOrder)
    enqueueChained(environment, queue, record, patched, waits.empty());
  else if (queued.profiling)
    enqueueTimedInOrder(environment, queue, record, patched);
  else
    enqueueInOrder(environment, queue, record, patched);
  static const std::vector<cl_event> noEvents;
  const std::vector<cl_event>& ends = record.startsAfterPrevious && !queued.inOrder ? queued.tail.events() : noEvents;
  queued.pace.launched(environment, target, static_cast<uint32_t>(record.commands.size()),
                       ends.empty() ? nullptr : ends.back());
  if ((valuesAndEvent & 1) == 0) return {};
  cl_event event = nullptr;
  check(runtime.clEnqueueMarkerWithWaitList(target, size(ends), data(ends), &event), "clEnqueueMarkerWithWaitList");
  return call.result(environment.handles.add(Kind::Event, event, runtime, queue.context));
}

}  // namespace

void addListExports(Exports& exports) {
  exports.add({{"createList", function<createList>},
               {"pushKernel", function<pushKernel>},
               {"pushCopy", function<pushCopy>},
               {"pushFill", function<pushFill>},
               {"pushBarrier", function<pushBarrier>},
               {"countLastCommand", function<countLastCommand>},
               {"launchList", hotFunction<launchList, 4>}});
}

}  // namespace cl
