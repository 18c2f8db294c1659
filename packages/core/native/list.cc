// A list remembers handles and caches the pointers behind them. The cache holds as long as nothing that it points to
// was released, which one comparison of the table's epoch tells, so a replay costs no look-ups.
#include "list.h"

#include "kernel.h"
#include "lending.h"
#include "queue.h"
#include "queue_record.h"

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
};

struct ListRecord final : Record {
  std::vector<Command> commands;
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

/// createList(context)
napi_value createList(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  auto record = std::make_shared<ListRecord>();
  return call.result(call.environment->handles.add(Kind::List, record.get(), *context.runtime, context.object, record));
}

napi_value push(Call& call, Command command) {
  const Slot& list = call.slot(0, Kind::List);
  // Only the new one: what became of the others is found out when the list is launched.
  confirm(*call.environment, list, command, -1);
  listOf(list).commands.push_back(std::move(command));
  return nullptr;
}

/// pushKernel(list, boundKernel)
napi_value pushKernel(Call& call) {
  Command command{CommandKind::Kernel};
  command.first = call.integer(1);
  if (!recordOf(call.slot(1, Kind::Kernel)).bound) invalid("a bound kernel is needed", 1);
  return push(call, std::move(command));
}

/// pushCopy(list, source, target, sourceOffset, targetOffset, bytes)
napi_value pushCopy(Call& call) {
  Command command{CommandKind::Copy};
  command.first = call.integer(1);
  command.second = call.integer(2);
  command.loans[0] = Loan(call.slot(1, Kind::Memory));
  command.loans[1] = Loan(call.slot(2, Kind::Memory));
  command.sourceOffset = call.size(3);
  command.targetOffset = call.size(4);
  command.bytes = call.size(5);
  return push(call, std::move(command));
}

/// pushFill(list, target, pattern, offset, bytes)
napi_value pushFill(Call& call) {
  Command command{CommandKind::Fill};
  const HostBytes pattern = call.bytes(2);
  command.first = call.integer(1);
  command.loans[0] = Loan(call.slot(1, Kind::Memory));
  command.pattern.assign(pattern.data, pattern.data + pattern.bytes);
  command.targetOffset = call.size(3);
  command.bytes = call.size(4);
  return push(call, std::move(command));
}

/// pushBarrier(list)
napi_value pushBarrier(Call& call) { return push(call, Command{CommandKind::Barrier}); }

cl_int enqueue(const Runtime& runtime, cl_command_queue queue, const Command& command, cl_uint waits,
               const cl_event* events, cl_event* event) {
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

void confirmFits(const Environment& environment, const Slot& queue, const Command& command, int position) {
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

/// launchList(queue, list, wantEvent, waitFor?) -> the event of a marker after the last command, or undefined. The wait
/// list holds the first command back, by a barrier, so that on an out-of-order queue it holds all of them.
napi_value launchList(Call& call) {
  Environment& environment = *call.environment;
  const Slot& list = call.slot(1, Kind::List);
  const Slot& queue = call.slot(0, Kind::Queue);
  if (queue.context != list.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "queue", -1};
  ListRecord& record = listOf(list);
  if (record.seen != environment.handles.epoch()) [[unlikely]]
    confirmAll(environment, list, record);
  const Runtime& runtime = *queue.runtime;
  const auto target = queue.as<cl_command_queue>();
  if (call.count() > 3) {
    const auto events = call.events(3, queue.context);
    if (!events.empty())
      check(runtime.clEnqueueBarrierWithWaitList(target, size(events), data(events), nullptr),
            "clEnqueueBarrierWithWaitList");
  }
  for (size_t i = 0; i < record.commands.size(); ++i) {
    const Command& command = record.commands[i];
    if (command.kind == CommandKind::Kernel) {
      confirmFits(environment, queue, command, static_cast<int>(i));
      noteUse(environment, queue, *command.record);
    } else {
      for (const Loan& loan : command.loans) {
        if (loan.lending) [[unlikely]]
          loan.lending->use(queue);
      }
    }
    const cl_int status = enqueue(runtime, target, command, 0, nullptr, nullptr);
    if (status != CL_SUCCESS) [[unlikely]]
      throw Failure{"DRIVER", routineOf(command.kind), status, "command", static_cast<int>(i)};
  }
  queueRecord(queue).pace.launched(queue.as<cl_command_queue>(), static_cast<uint32_t>(record.commands.size()));
  if (!call.boolean(2)) return nullptr;
  cl_event event = nullptr;
  check(runtime.clEnqueueMarkerWithWaitList(target, 0, nullptr, &event), "clEnqueueMarkerWithWaitList");
  return call.result(environment.handles.add(Kind::Event, event, runtime, queue.context));
}

}  // namespace

void addListExports(Exports& exports) {
  exports.push_back({"createList", invoke<createList>});
  exports.push_back({"pushKernel", invoke<pushKernel>});
  exports.push_back({"pushCopy", invoke<pushCopy>});
  exports.push_back({"pushFill", invoke<pushFill>});
  exports.push_back({"pushBarrier", invoke<pushBarrier>});
  exports.push_back({"launchList", invoke<launchList, 4>});
}

}  // namespace cl
