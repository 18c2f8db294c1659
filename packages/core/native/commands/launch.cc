// Launches of single kernels and bound kernels. (Lists of commands are in list.cc.)
//
// This is the hot path: a launch makes one call from JavaScript and only the driver calls that changed arguments need.
// Sizes and arguments come through the scratch block, handles as integers, and an event is created only on request.
#include "commands/scalar_patch.h"
#include "driver/dependencies.h"
#include "driver/extensions.h"
#include "exports.h"
#include "objects/event.h"
#include "objects/kernel.h"
#include "objects/queue.h"
#include "objects/queue_record.h"
#include "profiling/harvest.h"

namespace cl {
namespace {

// Flags of a launch; src/binding/scratch.ts has the same values.
enum : int32_t { kWantEvent = 1, kThenFinish = 2, kKeepArguments = 4, kEmpty = 8 };

cl_int enqueue(const Slot& queue, const Slot& kernel, const Sizes& sizes, const std::vector<cl_event>* events,
               cl_event* event) {
  return kernel.runtime->clEnqueueNDRangeKernel(
      queue.as<cl_command_queue>(), kernel.as<cl_kernel>(), sizes.dimensions, sizes.hasOffset ? sizes.offset : nullptr,
      sizes.global, sizes.hasLocal ? sizes.local : nullptr, events == nullptr ? 0 : size(*events),
      events == nullptr ? nullptr : data(*events), event);
}

/// Header of every launch in the scratch block: reading an integer from there takes 1 ns, from a JavaScript argument
/// 5 ns.
struct Header {
  Handle queue;
  Handle kernel;
  int32_t flags;
};

const Header& header(const Environment& environment) {
  return *reinterpret_cast<const Header*>(environment.scratch + 80);
}

Slot& queueFor(Environment& environment, Handle handle, const Slot& kernel) {
  Slot& queue = environment.handles.get(handle, Kind::Queue);
  if (queue.context != kernel.context) [[unlikely]]
    throw Failure{"WRONG_CONTEXT", "clEnqueueNDRangeKernel", CL_SUCCESS, "queue", -1};
  return queue;
}

/// launch(waitFor?) -> event or undefined
Napi::Value launch(Call& call) {
  Environment& environment = *call.environment;
  const auto [queueHandle, kernelHandle, flags] = header(environment);
  Slot& kernel = environment.handles.get(kernelHandle, Kind::Kernel);
  const Slot& queue = queueFor(environment, queueHandle, kernel);
  KernelRecord& record = recordOf(kernel);
  if (record.bound || (flags & kKeepArguments) != 0)
    confirmArguments(environment, record);
  else
    setArguments(environment, kernel, record);

  std::vector<cl_event> events;
  if (call.count() > 0) [[unlikely]]
    events = call.events(0, queue.context);
  if ((flags & kThenFinish) != 0) {
    refuseToFinish("clFinish", queue.as<cl_command_queue>());
    refuseToAwait(*queue.runtime, "clFinish", {queue.as<cl_command_queue>(), size(events), data(events), Order::Plain});
  }
  cl_event event = nullptr;
  cl_event* eventOut = (flags & kWantEvent) != 0 ? &event : nullptr;
  if ((flags & kEmpty) != 0) [[unlikely]] {
    // An empty launch only passes its wait list on to the commands that wait for it.
    check(
        queue.runtime->clEnqueueMarkerWithWaitList(queue.as<cl_command_queue>(), size(events), data(events), eventOut),
        "clEnqueueMarkerWithWaitList");
  } else {
    confirmLocalMemory(environment, queue, kernel.as<cl_kernel>(), record);
    Sizes launchSizes;
    if (!record.bound) launchSizes.read(environment);
    noteUse(environment, queue, record);
    const Sizes& sizes = record.bound ? record.sizes : launchSizes;
    const bool counted = isCounted(queue, record.statistics);
    const uint64_t called = counted ? callTime(*record.statistics) : 0;
    check(enqueue(queue, kernel, sizes, &events, counted ? &event : eventOut), "clEnqueueNDRangeKernel");
    if (counted) [[unlikely]] {
      if (eventOut == nullptr || queue.runtime->clRetainEvent(event) == CL_SUCCESS)
        harvest(environment, queue, record.statistics, event, &sizes, called);
      else
        record.statistics->untimed();
    }
  }
  if ((flags & kThenFinish) != 0) {
    check(queue.runtime->clFinish(queue.as<cl_command_queue>()), "clFinish");
    noteEmpty(queue);
  } else {
    queueRecord(queue).pace.launched(environment, queue.as<cl_command_queue>(), 1);
  }
  if (eventOut == nullptr) return {};
  return call.result(environment.handles.add(Kind::Event, event, *queue.runtime, queue.context));
}

[[gnu::noinline]] cl_int enqueueCounted(Environment& environment, const Slot& queue, const Slot& kernel,
                                        KernelRecord& record) {
  cl_event event = nullptr;
  const uint64_t called = callTime(*record.statistics);
  const cl_int status = enqueue(queue, kernel, record.sizes, nullptr, &event);
  if (status == CL_SUCCESS) harvest(environment, queue, record.statistics, event, &record.sizes, called);
  return status;
}

/// Enqueues a bound kernel without an event for the caller. Records its times if it has statistics.
[[gnu::always_inline]] inline cl_int enqueueBound(Environment& environment, const Slot& queue, const Slot& kernel,
                                                  KernelRecord& record) {
  if (isCounted(queue, record.statistics)) [[unlikely]]
    return enqueueCounted(environment, queue, kernel, record);
  return enqueue(queue, kernel, record.sizes, nullptr, nullptr);
}

/// launchBound(): launches a bound kernel without an event. The fastest path.
Napi::Value launchBound(Call& call) {
  Environment& environment = *call.environment;
  const auto [queueHandle, kernelHandle, flags] = header(environment);
  Slot& kernel = environment.handles.get(kernelHandle, Kind::Kernel);
  const Slot& queue = queueFor(environment, queueHandle, kernel);
  KernelRecord& record = recordOf(kernel);
  confirmArguments(environment, record);
  confirmLocalMemory(environment, queue, kernel.as<cl_kernel>(), record);
  noteUse(environment, queue, record);
  check(enqueueBound(environment, queue, kernel, record), "clEnqueueNDRangeKernel");
  queueRecord(queue).pace.launched(environment, queue.as<cl_command_queue>(), 1);
  return {};
}

/// Returns the patch of each column. Throws INVALID with the row's position if a number does not fit its argument.
std::vector<ScalarPatch> patchesFor(const KernelRecord& record, const std::vector<int32_t>& scalars, const double* rows,
                                    size_t count) {
  std::vector<ScalarPatch> patches;
  const size_t columns = scalars.size() / 2;
  for (size_t i = 0; i < columns; ++i)
    patches.emplace_back(record, scalars[2 * i], scalars[2 * i + 1], static_cast<int32_t>(i));
  for (size_t row = 0; row < count; ++row) {
    for (ScalarPatch& patch : patches)
      if (!patch.take(rows[row * columns + patch.value()]))
        invalid("the number does not fit its argument", static_cast<int>(row));
  }
  return patches;
}

/// Launches a bound kernel once per row by calling `launchRow(queue, kernel, record, isLast)`.
/// Arguments of the call: queue, kernel, scalars (Int32Array of [argument, type] for each column), rows (Float64Array).
/// Enqueues nothing unless all numbers fit. Driver errors carry the row's position.
template <typename LaunchRow>
void forEachRow(Call& call, LaunchRow launchRow) {
  Environment& environment = *call.environment;
  const Slot& kernel = call.slot(1, Kind::Kernel);
  const Slot& queue = queueFor(environment, call.integer(0), kernel);
  KernelRecord& record = recordOf(kernel);
  const auto scalars = call.integers(2);
  const HostBytes numbers = call.bytes(3);
  const auto* rows = reinterpret_cast<const double*>(numbers.data);
  const size_t columns = scalars.size() / 2;
  if (!record.bound || columns == 0) invalid("expected a bound kernel and at least one column");
  const size_t count = numbers.bytes / sizeof(double) / columns;
  std::vector<ScalarPatch> patches = patchesFor(record, scalars, rows, count);
  for (size_t row = 0; row < count; ++row) {
    const auto checkRow = [row](cl_int status, const char* routine) {
      if (status != CL_SUCCESS) [[unlikely]]
        throw Failure{"DRIVER", routine, status, {}, static_cast<int>(row)};
    };
    for (ScalarPatch& patch : patches) {
      patch.take(rows[row * columns + patch.value()]);
      checkRow(patch.apply(*kernel.runtime, kernel.as<cl_kernel>(), record), "clSetKernelArg");
    }
    if (row == 0) {
      confirmArguments(environment, record);
      confirmLocalMemory(environment, queue, kernel.as<cl_kernel>(), record);
    }
    noteUse(environment, queue, record);
    checkRow(launchRow(queue, kernel, record, row + 1 == count), "clEnqueueNDRangeKernel");
  }
}

/// launchRows(queue, kernel, scalars, rows): see forEachRow().
Napi::Value launchRows(Call& call) {
  forEachRow(call, [&](const Slot& queue, const Slot& kernel, KernelRecord& record, bool) {
    const cl_int status = enqueueBound(*call.environment, queue, kernel, record);
    if (status == CL_SUCCESS) queueRecord(queue).pace.launched(*call.environment, queue.as<cl_command_queue>(), 1);
    return status;
  });
  return {};
}

/// Enqueues a bound kernel and records its times if it has statistics. The caller owns `event`.
cl_int enqueueWithEvent(Environment& environment, const Slot& queue, const Slot& kernel, KernelRecord& record,
                        const std::vector<cl_event>& waits, cl_event* event) {
  const bool counted = isCounted(queue, record.statistics);
  const uint64_t called = counted ? callTime(*record.statistics) : 0;
  const cl_int status = enqueue(queue, kernel, record.sizes, &waits, event);
  if (status != CL_SUCCESS || !counted) return status;
  if (queue.runtime->clRetainEvent(*event) == CL_SUCCESS)
    harvest(environment, queue, record.statistics, *event, &record.sizes, called);
  else
    record.statistics->untimed();
  return status;
}

/// enqueueRows(queue, kernel, scalars, rows, waitFor?) -> the event of the last launch; see forEachRow(). The launches
/// run one after another, on out-of-order queues too. The first one waits for `waitFor`.
Napi::Value enqueueRows(Call& call) {
  const Slot& queue = call.slot(0, Kind::Queue);
  auto waits = call.events(4, queue.context);
  OwnedEvent last(*queue.runtime);
  forEachRow(call, [&](const Slot& target, const Slot& kernel, KernelRecord& record, bool isLast) {
    QueueRecord& queued = queueRecord(target);
    cl_int status;
    if (queued.inOrder && !isLast && waits.empty()) {
      status = enqueueBound(*call.environment, target, kernel, record);
    } else {
      cl_event event = nullptr;
      status = enqueueWithEvent(*call.environment, target, kernel, record, waits, &event);
      if (status != CL_SUCCESS) return status;
      last.replace(event);
      waits.clear();
      if (!queued.inOrder) waits.push_back(event);
    }
    if (status == CL_SUCCESS)
      queued.pace.launched(*call.environment, target.as<cl_command_queue>(), 1, queued.inOrder ? nullptr : last.get());
    return status;
  });
  if (last.get() == nullptr) invalid("expected at least one row", 3);
  return call.result(call.environment->handles.add(Kind::Event, last.take(), *queue.runtime, queue.context));
}

/// suggestedLocalSize(queue, kernel) -> the driver's choice of local size for the sizes in the scratch block
Napi::Value suggestedLocalSize(Call& call) {
  const Slot& kernel = call.slot(1, Kind::Kernel);
  const Slot& queue = queueFor(*call.environment, call.integer(0), kernel);
  const auto target = queue.as<cl_command_queue>();
  Sizes sizes;
  sizes.read(*call.environment);
  if (sizes.dimensions < 1 || sizes.dimensions > 3) invalid("expected 1 to 3 dimensions");
  size_t local[3] = {};
  const auto& entry = extensionsOf(*queue.runtime, target).clGetKernelSuggestedLocalWorkSizeKHR;
  check(entry(target, kernel.as<cl_kernel>(), sizes.dimensions, sizes.hasOffset ? sizes.offset : nullptr, sizes.global,
              local),
        entry.name);
  std::vector<int32_t> suggested;
  for (cl_uint i = 0; i < sizes.dimensions; ++i) suggested.push_back(static_cast<int32_t>(local[i]));
  return call.result(suggested);
}

/// fixKernel(kernel): makes a clone a bound kernel, with the sizes in the scratch block and its current arguments.
Napi::Value fixKernel(Call& call) {
  KernelRecord& record = recordOf(call.slot(0, Kind::Kernel));
  confirmArguments(*call.environment, record);
  record.sizes.read(*call.environment);
  record.bound = true;
  return {};
}

}  // namespace

void addLaunchExports(Exports& exports) {
  exports.add({{"launch", hotFunction<launch, 1>},
               {"launchBound", hotFunction<launchBound, 0>},
               {"launchRows", function<launchRows>},
               {"enqueueRows", function<enqueueRows>},
               {"suggestedLocalSize", function<suggestedLocalSize>},
               {"fixKernel", function<fixKernel>}});
}

}  // namespace cl
