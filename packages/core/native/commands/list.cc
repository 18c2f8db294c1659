// Launch lists: many commands recorded once and enqueued by one call.
//
// A list remembers handles and caches the pointers behind them. The cache holds as long as nothing that it points to
// was released, which one comparison of the table's epoch tells, so a replay costs no look-ups.
#include "commands/scalar_patch.h"
#include "exports.h"
#include "objects/barrier.h"
#include "objects/event.h"
#include "objects/kernel.h"
#include "objects/lending.h"
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
  /// Of the source and the target, in case they are lent.
  Loan loans[2];
  size_t sourceOffset = 0;
  size_t targetOffset = 0;
  size_t bytes = 0;
  std::vector<uint8_t> pattern;
  /// The commands before it that it begins after, where the queue does not see to that.
  std::vector<uint32_t> after;
  /// The same for traces: how far before it they are.
  Predecessors lower;
  /// Some command begins after it.
  bool awaited = false;
  /// Scalars that each launch brings; behind each other in the list's own.
  size_t firstPatch = 0;
  size_t patches = 0;
  /// What it is counted in on queues with profiling; a kernel's own if nothing is said.
  std::shared_ptr<Statistics> statistics;
};

struct ListRecord final : Record {
  /// On a queue that may reorder, it begins when what came before it has ended.
  bool follows = false;
  /// Some command begins after others.
  bool ordered = false;
  std::vector<Command> commands;
  std::vector<ScalarPatch> patches;
  uint64_t seen = 0;
};

ListRecord& listOf(const Slot& slot) { return *static_cast<ListRecord*>(slot.record.get()); }

/// Looks up what one command uses. Every failure names the command, also one that is about a kernel's argument.
void confirm(Environment& environment, const Slot& list, Command& command, int position) {
  HandleTable& handles = environment.handles;
  const auto lookUp = [&](Handle handle, Kind kind, const Loan* loan = nullptr) -> const Slot& {
    const Slot& slot = handles.get(handle, kind, position);
    if (slot.context != list.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "command", position};
    if (loan != nullptr && !loan->holds()) throw Failure{"DISPOSED", {}, CL_SUCCESS, kindName(kind), position};
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
  record.seen = environment.handles.epoch();
}

/// createList(context, follows)
Napi::Value createList(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  auto record = std::make_shared<ListRecord>();
  record->follows = call.boolean(1);
  return call.result(call.environment->handles.add(Kind::List, record.get(), *context.runtime, context.object, record));
}

/// `after` is the position of the Int32Array of commands that the new one begins after.
Napi::Value push(Call& call, Command command, size_t after) {
  const Slot& list = call.slot(0, Kind::List);
  // Only the new one: what became of the others is found out when the list is launched.
  confirm(*call.environment, list, command, -1);
  std::vector<Command>& commands = listOf(list).commands;
  for (const int32_t i : call.integers(after)) {
    if (i < 0 || static_cast<size_t>(i) >= commands.size())
      invalid("there is no such command", static_cast<int>(after));
    command.after.push_back(static_cast<uint32_t>(i));
  }
  for (const uint32_t i : command.after) commands[i].awaited = true;
  if (!command.after.empty()) {
    std::vector<uint32_t> lower;
    for (const uint32_t i : command.after) lower.push_back(static_cast<uint32_t>(commands.size()) - i);
    command.lower = std::make_shared<const std::vector<uint32_t>>(std::move(lower));
    listOf(list).ordered = true;
  }
  commands.push_back(std::move(command));
  return {};
}

/// pushKernel(list, boundKernel, after, scalars: Int32Array of [argument, type, which of the list's values])
Napi::Value pushKernel(Call& call) {
  Command command{CommandKind::Kernel};
  command.first = call.integer(1);
  const KernelRecord& record = recordOf(call.slot(1, Kind::Kernel));
  if (!record.bound) invalid("a bound kernel is needed", 1);
  const auto scalars = call.integers(3);
  std::vector<ScalarPatch>& patches = listOf(call.slot(0, Kind::List)).patches;
  std::vector<ScalarPatch> own;
  for (size_t i = 0; i + 2 < scalars.size(); i += 3)
    own.emplace_back(record, scalars[i], scalars[i + 1], scalars[i + 2]);
  command.firstPatch = patches.size();
  command.patches = own.size();
  push(call, std::move(command), 2);
  patches.insert(patches.end(), own.begin(), own.end());
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

/// countLastCommand(list, statistics): what the command that was pushed last is counted in
Napi::Value countLastCommand(Call& call) {
  std::vector<Command>& commands = listOf(call.slot(0, Kind::List)).commands;
  if (commands.empty()) invalid("there is no command", 0);
  commands.back().statistics = statisticsOf(call.slot(1, Kind::Statistics)).shared_from_this();
  return {};
}

/// pushBarrier(list, after)
Napi::Value pushBarrier(Call& call) { return push(call, Command{CommandKind::Barrier}, 1); }

// This, confirmFits() and prepare() in line, as gcc does not by itself where there are two calls: 4.2 instead of 6.8 ns
// a kernel (bench: list-20-null).
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

/// Converts the values in the scratch block, where a launch's arguments lie else.
void takeValues(const Environment& environment, ListRecord& record, size_t count) {
  constexpr size_t kFirst = 128;
  if (kFirst + count * sizeof(double) > environment.scratchBytes) invalid("too many values");
  const auto* values = reinterpret_cast<const double*>(environment.scratch + kFirst);
  for (ScalarPatch& patch : record.patches)
    if (patch.value() >= count || !patch.take(values[patch.value()])) invalid("a value does not fit its argument");
}

/// The events of a list's commands while it is enqueued on a queue that may reorder them.
class Chain final {
 public:
  Chain(const Slot& queue, const std::vector<Command>& commands)
      : queue_(queue), commands_(commands), start_(*queue.runtime), events_(*queue.runtime) {
    events_.all.resize(commands.size());
  }

  /// Lets the list begin when what came before it on the queue has ended. `alone` says that nothing was enqueued for
  /// this launch yet.
  void follow(bool alone) {
    follows_ = true;
    const Runtime& runtime = *queue_.runtime;
    QueueRecord& record = queueRecord(queue_);
    if (alone && !record.shared) {
      for (const cl_event event : record.tail.before(queue_)) {
        check(runtime.clRetainEvent(event), "clRetainEvent");
        start_.all.push_back(event);
      }
    }
    if (!start_.all.empty()) return;
    cl_event barrier = nullptr;
    check(runtime.clEnqueueBarrierWithWaitList(queue_.as<cl_command_queue>(), 0, nullptr, &barrier),
          "clEnqueueBarrierWithWaitList");
    start_.all.push_back(barrier);
  }
  /// What command `i` waits for.
  const std::vector<cl_event>& before(size_t i) {
    const bool afterAll = commands_[i].kind == CommandKind::Barrier;
    if (commands_[i].after.empty() && !afterAll) return start_.all;
    waits_.clear();
    for (const uint32_t k : commands_[i].after) waits_.push_back(events_.all[k]);
    return waits_;
  }
  /// Where the event of command `i` goes, or null if nobody needs it.
  cl_event* of(size_t i) { return follows_ || commands_[i].awaited ? &events_.all[i] : nullptr; }
  /// To be called at the end: tells the queue where a list that follows what was before ends.
  void end() {
    if (!follows_) return;
    std::vector<cl_event> ends;
    for (size_t i = 0; i < commands_.size(); ++i)
      if (events_.all[i] != nullptr && !commands_[i].awaited) ends.push_back(std::exchange(events_.all[i], nullptr));
    if (ends.empty()) ends.swap(start_.all);
    if (ends.size() > kManyEnds) join(ends);
    queueRecord(queue_).tail.end(queue_, std::move(ends));
  }

 private:
  /// Each of the next list's commands may wait for each of these.
  static constexpr size_t kManyEnds = 32;

  /// Makes one event of them.
  void join(std::vector<cl_event>& events) const {
    OwnedEvents parts(*queue_.runtime);
    parts.all.swap(events);
    cl_event marker = nullptr;
    check(queue_.runtime->clEnqueueMarkerWithWaitList(queue_.as<cl_command_queue>(), size(parts.all), data(parts.all),
                                                      &marker),
          "clEnqueueMarkerWithWaitList");
    events.push_back(marker);
  }

  const Slot& queue_;
  const std::vector<Command>& commands_;
  bool follows_ = false;
  OwnedEvents start_;
  OwnedEvents events_;
  std::vector<cl_event> waits_;
};

/// What a command is counted in, or null.
Statistics* countedIn(const Command& command) {
  if (command.statistics) return command.statistics.get();
  return command.kind == CommandKind::Kernel ? command.record->statistics.get() : nullptr;
}

/// Enqueues a command that is counted: its event is the harvest's, and the chain's too if others begin after it.
cl_int enqueueCounted(Environment& environment, const Slot& queue, const Command& command, Statistics& statistics,
                      const std::vector<cl_event>& waits, cl_event* wanted, const CommandOrder* order) {
  const Runtime& runtime = *queue.runtime;
  cl_event event = nullptr;
  const cl_int status = enqueue(runtime, queue.as<cl_command_queue>(), command, size(waits), data(waits), &event);
  if (status != CL_SUCCESS) return status;
  if (wanted != nullptr) {
    *wanted = event;
    if (runtime.clRetainEvent(event) != CL_SUCCESS) {
      statistics.untimed();
      return CL_SUCCESS;
    }
  }
  harvest(environment, queue, statistics, event, command.kind == CommandKind::Kernel ? &command.record->sizes : nullptr,
          order);
  return CL_SUCCESS;
}

void applyPatches(const Runtime& runtime, const ListRecord& record, const Command& command, int position) {
  for (size_t k = 0; k < command.patches; ++k) {
    const cl_int status = record.patches[command.firstPatch + k].apply(runtime, command.kernel, *command.record);
    if (status != CL_SUCCESS) [[unlikely]]
      throw Failure{"DRIVER", "clSetKernelArg", status, "command", position};
  }
}

/// What comes before a command is enqueued.
[[gnu::always_inline]] inline void prepare(Environment& environment, const Slot& queue, const ListRecord& record,
                                           const Command& command, bool patched, int position) {
  if (command.kind == CommandKind::Kernel) {
    if (patched) applyPatches(*queue.runtime, record, command, position);
    confirmFits(environment, queue, command, position);
    noteUse(environment, queue, *command.record);
  } else {
    for (const Loan& loan : command.loans) {
      if (loan.lending) [[unlikely]]
        loan.lending->use(queue);
    }
  }
}

inline void confirmEnqueued(cl_int status, const Command& command, int position) {
  if (status != CL_SUCCESS) [[unlikely]]
    throw Failure{"DRIVER", routineOf(command.kind), status, "command", position};
}

/// The shortest path: nobody needs events.
void enqueueInOrder(Environment& environment, const Slot& queue, const ListRecord& record, bool patched) {
  const Runtime& runtime = *queue.runtime;
  const auto target = queue.as<cl_command_queue>();
  for (size_t i = 0; i < record.commands.size(); ++i) {
    const Command& command = record.commands[i];
    prepare(environment, queue, record, command, patched, static_cast<int>(i));
    confirmEnqueued(enqueue(runtime, target, command, 0, nullptr, nullptr), command, static_cast<int>(i));
  }
}

/// Enqueues a command, counted or not.
cl_int enqueueTimed(Environment& environment, const Slot& queue, const Command& command,
                    const std::vector<cl_event>& waits, cl_event* wanted, const CommandOrder* order) {
  Statistics* statistics = queueRecord(queue).profiling ? countedIn(command) : nullptr;
  if (statistics != nullptr) return enqueueCounted(environment, queue, command, *statistics, waits, wanted, order);
  return enqueue(*queue.runtime, queue.as<cl_command_queue>(), command, size(waits), data(waits), wanted);
}

/// On an in-order queue that times commands.
void enqueueTimedInOrder(Environment& environment, const Slot& queue, const ListRecord& record, bool patched) {
  const std::vector<cl_event> none;
  for (size_t i = 0; i < record.commands.size(); ++i) {
    const Command& command = record.commands[i];
    prepare(environment, queue, record, command, patched, static_cast<int>(i));
    confirmEnqueued(enqueueTimed(environment, queue, command, none, nullptr, nullptr), command, static_cast<int>(i));
  }
}

/// On a queue that may reorder commands.
void enqueueChained(Environment& environment, const Slot& queue, const ListRecord& record, bool patched, bool alone) {
  Chain chain(queue, record.commands);
  if (record.follows) chain.follow(alone);
  const bool named = record.ordered && queueRecord(queue).profiling;
  const uint64_t serial = named ? takeSerials(environment, record.commands.size()) : 0;
  for (size_t i = 0; i < record.commands.size(); ++i) {
    const Command& command = record.commands[i];
    prepare(environment, queue, record, command, patched, static_cast<int>(i));
    const CommandOrder order{serial + i, command.lower};
    const cl_int status =
        enqueueTimed(environment, queue, command, chain.before(i), chain.of(i), named ? &order : nullptr);
    confirmEnqueued(status, command, static_cast<int>(i));
  }
  chain.end();
}

/// launchList(queue, list, 2 * values + wantEvent, waitFor?) -> the event of a marker after the last command, or
/// undefined. The wait list holds the first command back, by a barrier, so that on an out-of-order queue it holds all
/// of them. `values` is how many numbers lie in the scratch block; without any, scalars stay as they are.
Napi::Value launchList(Call& call) {
  Environment& environment = *call.environment;
  const Slot& list = call.slot(1, Kind::List);
  const Slot& queue = call.slot(0, Kind::Queue);
  if (queue.context != list.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "queue", -1};
  ListRecord& record = listOf(list);
  if (record.seen != environment.handles.epoch()) [[unlikely]]
    confirmAll(environment, list, record);
  const uint32_t what = call.word(2);
  const bool patched = what > 1;
  if (patched) takeValues(environment, record, what >> 1);
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
  static const std::vector<cl_event> unknown;
  const std::vector<cl_event>& ends = record.follows && !queued.inOrder ? queued.tail.events() : unknown;
  queued.pace.launched(environment, target, static_cast<uint32_t>(record.commands.size()),
                       ends.empty() ? nullptr : ends.back());
  if ((what & 1) == 0) return {};
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
