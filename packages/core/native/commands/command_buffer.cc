// Command buffers (cl_khr_command_buffer): commands recorded once by the driver and enqueued together.
//
// Lifetime rule: OpenCL does not guarantee that a command buffer retains what its commands use. The record therefore
// retains every kernel, memory object, sampler and SVM allocation until the command buffer is released, and delays that
// release until the last run has ended (see the destructor). The same for memory that kernels reach through pointers.
#include <algorithm>
#include <chrono>
#include <thread>

#include "driver/driver.h"
#include "driver/event_status.h"
#include "driver/extensions.h"
#include "driver/held_events.h"
#include "exports.h"
#include "objects/kernel.h"
#include "objects/loans.h"
#include "objects/queue.h"
#include "objects/svm.h"

namespace cl {
namespace {

// Values of cl_khr_command_buffer.
constexpr cl_ulong kFlags = 0x1293;
constexpr cl_ulong kSimultaneousUse = 1;
constexpr cl_uint kState = 0x1297;
constexpr cl_uint kPending = 2;

/// The command buffer and all that it uses. Destroyed on the thread that drops the last reference.
struct Contents {
  Contents(const Runtime& system, const Extensions& functions, CommandBuffer* object, bool withProperties)
      : runtime(system), extensions(functions), buffer(object), takesProperties(withProperties) {}
  ~Contents() {
    extensions.clReleaseCommandBufferKHR.quietly(buffer);
    for (const cl_kernel kernel : kernels) runtime.clReleaseKernel.quietly(kernel);
    for (const cl_mem memory : memories) runtime.clReleaseMemObject.quietly(memory);
    for (const cl_sampler sampler : samplers) runtime.clReleaseSampler.quietly(sampler);
  }
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;

  cl_mem retain(const Slot& memory) {
    check(runtime.clRetainMemObject(memory.as<cl_mem>()), "clRetainMemObject");
    memories.push_back(memory.as<cl_mem>());
    return memories.back();
  }

  /// Records a command with the function for the extension's version.
  template <typename Earlier, typename WithProperties, typename... Arguments>
  void record(const Earlier& earlier, const WithProperties& current, Arguments... arguments) const {
    check(takesProperties ? current(buffer, nullptr, nullptr, arguments..., 0, nullptr, nullptr, nullptr)
                          : earlier(buffer, nullptr, arguments..., 0, nullptr, nullptr, nullptr),
          current.name);
  }

  const Runtime& runtime;
  const Extensions& extensions;
  CommandBuffer* buffer;
  /// Whether the extension has version 0.9.5 or later.
  bool takesProperties;
  std::vector<cl_kernel> kernels;
  std::vector<cl_mem> memories;
  std::vector<cl_sampler> samplers;
  /// SVM allocations that are arguments or are reached through pointers.
  std::vector<std::unique_ptr<SvmPin>> svm;
};

struct CommandBufferRecord final : Record {
  std::shared_ptr<Contents> contents;
  std::shared_ptr<Channel> channel;
  cl_command_queue queue = nullptr;
  /// The queue's handle. The record also holds a reference to the driver's queue.
  Handle queueHandle = 0;
  /// Loans of the memory that the commands use; see loans.h.
  std::vector<Loan> loans;
  /// A kernel may access any memory of the process.
  bool reachesAll = false;
  /// Events of runs that may not have ended.
  std::vector<cl_event> running;

  ~CommandBufferRecord() override {
    const Runtime& runtime = contents->runtime;
    for (const cl_event event : running) {
      if (isRunning(event)) {
        // Drivers may not handle the release of a running command buffer, so it lives until the run has ended.
        try {
          channel->watch(runtime, event, CL_COMPLETE, 0, contents);
        } catch (const Failure&) {
          // No callback is available, so the contents are leaked.
          new std::shared_ptr<Contents>(contents);
        }
      }
      runtime.clReleaseEvent.quietly(event);
    }
    runtime.clReleaseCommandQueue.quietly(queue);
  }

  bool isPending() const {
    cl_uint state = 0;
    const auto& getInfo = contents->extensions.clGetCommandBufferInfoKHR;
    return getInfo(contents->buffer, kState, sizeof state, &state, nullptr) == CL_SUCCESS && state == kPending;
  }

  /// Enqueues the commands. PoCL 7.1 completes a run's event shortly before it allows the next run. If all runs have
  /// ended, this therefore tries again until the driver no longer calls the command buffer pending, for at most a
  /// second.
  cl_int enqueue(const std::vector<cl_event>& waits, cl_event* event) const {
    std::chrono::steady_clock::time_point end;
    for (bool last = false, isFirst = true;; isFirst = false) {
      const cl_int status =
          contents->extensions.clEnqueueCommandBufferKHR(0, nullptr, contents->buffer, size(waits), data(waits), event);
      if (status != CL_INVALID_OPERATION || !running.empty() || last) return status;
      if (isFirst) end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
      last = !isPending() || std::chrono::steady_clock::now() > end;
      std::this_thread::yield();
    }
  }

  bool isRunning(cl_event event) const { return statusOf(contents->runtime, event, CL_COMPLETE) > CL_COMPLETE; }
  void removeEnded() {
    const auto ended = std::remove_if(running.begin(), running.end(), [&](cl_event event) {
      if (isRunning(event)) return false;
      contents->runtime.clReleaseEvent.quietly(event);
      return true;
    });
    running.erase(ended, running.end());
  }
};

CommandBufferRecord& commandsOf(const Slot& slot) { return *static_cast<CommandBufferRecord*>(slot.record.get()); }

/// createCommandBuffer(queue, simultaneousUse, takesProperties)
Napi::Value createCommandBuffer(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Runtime& runtime = *queue.runtime;
  const auto target = queue.as<cl_command_queue>();
  const Extensions& extensions = extensionsOf(runtime, target);
  const cl_ulong properties[] = {kFlags, kSimultaneousUse, 0};
  cl_int status = CL_SUCCESS;
  CommandBuffer* buffer =
      extensions.clCreateCommandBufferKHR(1, &target, call.boolean(1) ? properties : nullptr, &status);
  check(status, "clCreateCommandBufferKHR");
  auto contents = std::make_shared<Contents>(runtime, extensions, buffer, call.boolean(2));
  check(runtime.clRetainCommandQueue(target), "clRetainCommandQueue");
  auto record = std::make_shared<CommandBufferRecord>();
  record->contents = std::move(contents);
  record->channel = call.environment->channel;
  record->queue = target;
  record->queueHandle = call.integer(0);
  return call.result(
      call.environment->handles.add(Kind::CommandBuffer, buffer, runtime, queue.context, std::move(record)));
}

const Slot& memberOf(Call& call, const Slot& buffer, size_t i, Kind kind) {
  const Slot& slot = call.slot(i, kind);
  if (slot.context != buffer.context)
    throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, kindName(kind), static_cast<int>(i)};
  return slot;
}

/// Returns the memory object at position i and retains it for the commands.
cl_mem retainMember(Call& call, const Slot& buffer, size_t i) {
  const Slot& memory = memberOf(call, buffer, i, Kind::Memory);
  CommandBufferRecord& commands = commandsOf(buffer);
  commands.loans.emplace_back(memory);
  return commands.contents->retain(memory);
}

void retainSvm(CommandBufferRecord& commands, const std::shared_ptr<SvmMemory>& memory) {
  commands.contents->svm.push_back(std::make_unique<SvmPin>(memory));
  commands.loans.emplace_back(memory->loanState);
}

/// Retains the objects that a kernel's arguments refer to, and the memory that it reaches through pointers.
void retainArguments(Environment& environment, CommandBufferRecord& commands, KernelRecord& record) {
  Contents& contents = *commands.contents;
  for (const auto& memory : record.reachableMemory) retainSvm(commands, memory);
  if (record.reachesAll) commands.reachesAll = true;
  for (const Argument& argument : record.arguments) {
    if (argument.object == nullptr) continue;
    const Handle handle = *reinterpret_cast<const Handle*>(record.lastBytes() + argument.offset);
    if (argument.kind == ArgumentKind::Memory) {
      if (const Slot* memory = environment.handles.find(handle, Kind::Memory)) {
        contents.retain(*memory);
        commands.loans.emplace_back(*memory);
      }
      if (const Slot* svm = environment.handles.find(handle, Kind::Svm)) retainSvm(commands, svmOf(*svm));
    } else if (argument.kind == ArgumentKind::Sampler) {
      const auto sampler = static_cast<cl_sampler>(argument.object);
      check(contents.runtime.clRetainSampler(sampler), "clRetainSampler");
      contents.samplers.push_back(sampler);
    }
  }
}

/// recordKernel(buffer, boundKernel): records the kernel with its current arguments.
Napi::Value recordKernel(Call& call) {
  const Slot& slot = call.slot(0, Kind::CommandBuffer);
  const Slot& kernel = memberOf(call, slot, 1, Kind::Kernel);
  CommandBufferRecord& commands = commandsOf(slot);
  Contents& contents = *commands.contents;
  KernelRecord& record = recordOf(kernel);
  if (!record.bound) invalid("expected a bound kernel", 1);
  confirmArguments(*call.environment, record);
  const Slot& queue = call.environment->handles.get(commands.queueHandle, Kind::Queue);
  confirmLocalMemory(*call.environment, queue, kernel.as<cl_kernel>(), record);
  auto* object = kernel.as<cl_kernel>();
  if (isPoclBefore(contents.runtime, commands.queue, 7)) {
    // A clone, because PoCL before 7 reads the arguments when the commands run: a later setArg would change them.
    cl_int status = CL_SUCCESS;
    object = contents.runtime.clCloneKernel(object, &status);
    check(status, "clCloneKernel");
  } else {
    check(contents.runtime.clRetainKernel(object), "clRetainKernel");
  }
  contents.kernels.push_back(object);
  retainArguments(*call.environment, commands, record);
  const Sizes& sizes = record.sizes;
  check(contents.extensions.clCommandNDRangeKernelKHR(
            contents.buffer, nullptr, nullptr, object, sizes.dimensions, sizes.hasOffset ? sizes.offset : nullptr,
            sizes.global, sizes.hasLocal ? sizes.local : nullptr, 0, nullptr, nullptr, nullptr),
        "clCommandNDRangeKernelKHR");
  return {};
}

/// recordCopy(buffer, source, target, sourceOffset, targetOffset, bytes)
Napi::Value recordCopy(Call& call) {
  const Slot& slot = call.slot(0, Kind::CommandBuffer);
  const Contents& contents = *commandsOf(slot).contents;
  const cl_mem source = retainMember(call, slot, 1);
  const cl_mem target = retainMember(call, slot, 2);
  const Extensions& extensions = contents.extensions;
  contents.record(extensions.clCommandCopyBufferKHR, extensions.copyWithProperties, source, target, call.size(3),
                  call.size(4), call.size(5));
  return {};
}

/// recordFill(buffer, target, pattern, offset, bytes)
Napi::Value recordFill(Call& call) {
  const Slot& slot = call.slot(0, Kind::CommandBuffer);
  const HostBytes pattern = call.bytes(2);
  const Contents& contents = *commandsOf(slot).contents;
  const cl_mem target = retainMember(call, slot, 1);
  const Extensions& extensions = contents.extensions;
  contents.record(extensions.clCommandFillBufferKHR, extensions.fillWithProperties, target, pattern.data, pattern.bytes,
                  call.size(3), call.size(4));
  return {};
}

/// recordBarrier(buffer)
Napi::Value recordBarrier(Call& call) {
  const Contents& contents = *commandsOf(call.slot(0, Kind::CommandBuffer)).contents;
  contents.record(contents.extensions.clCommandBarrierWithWaitListKHR, contents.extensions.barrierWithProperties);
  return {};
}

/// finalizeCommandBuffer(buffer)
Napi::Value finalizeCommandBuffer(Call& call) {
  const Contents& contents = *commandsOf(call.slot(0, Kind::CommandBuffer)).contents;
  check(contents.extensions.clFinalizeCommandBufferKHR(contents.buffer), "clFinalizeCommandBufferKHR");
  return {};
}

/// enqueueCommandBuffer(buffer, waitFor?) -> event
Napi::Value enqueueCommandBuffer(Call& call) {
  const Slot slot = call.slot(0, Kind::CommandBuffer);
  CommandBufferRecord& commands = commandsOf(slot);
  const auto events = call.events(1, slot.context);
  const Slot queue = call.environment->handles.get(commands.queueHandle, Kind::Queue);
  for (const Loan& loan : commands.loans) {
    if (!loan.isCurrent()) throw Failure{"DISPOSED", {}, CL_SUCCESS, "memory that a command uses", -1};
  }
  for (const Loan& loan : commands.loans) {
    if (loan.state) loan.state->use(queue);
  }
  if (commands.reachesAll) call.environment->svm->useAll(queue);
  commands.removeEnded();
  OptionalEvent event(true);
  const Contents& contents = *commands.contents;
  check(commands.enqueue(events, event.address()), "clEnqueueCommandBufferKHR");
  noteExtensionCommand(*queue.runtime, queue.as<cl_command_queue>(), events, event.get());
  if (const cl_int status = contents.runtime.clRetainEvent(event.get()); status != CL_SUCCESS) {
    contents.runtime.clReleaseEvent.quietly(event.get());
    check(status, "clRetainEvent");
  }
  commands.running.push_back(event.get());
  return event.result(call, queue);
}

/// commandBufferRuns(buffer) -> whether a run has not ended yet
Napi::Value commandBufferRuns(Call& call) {
  CommandBufferRecord& commands = commandsOf(call.slot(0, Kind::CommandBuffer));
  commands.removeEnded();
  return call.result(!commands.running.empty());
}

}  // namespace

void addCommandBufferExports(Exports& exports) {
  exports.add({{"createCommandBuffer", function<createCommandBuffer>},
               {"recordKernel", function<recordKernel>},
               {"recordCopy", function<recordCopy>},
               {"recordFill", function<recordFill>},
               {"recordBarrier", function<recordBarrier>},
               {"finalizeCommandBuffer", function<finalizeCommandBuffer>},
               {"commandBufferRuns", function<commandBufferRuns>},
               {"enqueueCommandBuffer", function<enqueueCommandBuffer>}});
}

}  // namespace cl
