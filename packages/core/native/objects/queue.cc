#include "objects/queue.h"

#include "driver/dependencies.h"
#include "driver/driver.h"
#include "driver/extensions.h"
#include "exports.h"
#include "objects/barrier.h"
#include "objects/loans.h"
#include "objects/queue_record.h"
#include "objects/svm_memory.h"

namespace cl {
namespace {

/// Creates a queue in OpenCL 1.x, which only accepts the bit field unless an extension accepts properties. Throws for
/// other properties if there is no such extension.
cl_command_queue createOlder(const Runtime& runtime, cl_context context, cl_device_id device,
                             const std::vector<cl_queue_properties>& properties) {
  cl_int status = CL_SUCCESS;
  cl_command_queue_properties bits = 0;
  for (size_t i = 0; i + 1 < properties.size(); i += 2) {
    if (properties[i] == CL_QUEUE_PROPERTIES) {
      bits = properties[i + 1];
      continue;
    }
    const auto& entry = extensionsOf(runtime, device).clCreateCommandQueueWithPropertiesKHR;
    if (!entry) throw Failure{"NOT_SUPPORTED", "clCreateCommandQueueWithProperties", CL_SUCCESS, "2.0", -1};
    const cl_command_queue queue = entry(context, device, properties.data(), &status);
    check(status, entry.name);
    return queue;
  }
  const cl_command_queue queue = runtime.clCreateCommandQueue(context, device, bits, &status);
  check(status, "clCreateCommandQueue");
  return queue;
}

/// createQueue(context, device, properties: BigUint64Array of pairs, depth: see pace.h)
Napi::Value createQueue(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  const Slot device = call.slot(1, Kind::Device);
  auto properties = call.properties<cl_queue_properties>(2);
  bool inOrder = true;
  bool profiling = false;
  for (size_t i = 0; i + 1 < properties.size(); i += 2) {
    if (properties[i] != CL_QUEUE_PROPERTIES) continue;
    inOrder = (properties[i + 1] & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
    profiling = (properties[i + 1] & CL_QUEUE_PROFILING_ENABLE) != 0;
  }
  const Runtime& runtime = *context.runtime;
  cl_int status = CL_SUCCESS;
  cl_command_queue queue = nullptr;
  if (runtime.clCreateCommandQueueWithProperties) {
    if (properties.empty()) properties.push_back(0);
    queue = runtime.clCreateCommandQueueWithProperties(context.as<cl_context>(), device.as<cl_device_id>(),
                                                       properties.data(), &status);
    check(status, "clCreateCommandQueueWithProperties");
  } else {
    queue = createOlder(runtime, context.as<cl_context>(), device.as<cl_device_id>(), properties);
  }
  forgetQueue(queue);
  auto record = std::make_shared<QueueRecord>(runtime, static_cast<uint32_t>(call.number(3)), inOrder);
  record->profiling = profiling;
  record->readsHostEarly = isNvidia(runtime, queue);
  return call.result(call.environment->handles.add(Kind::Queue, queue, runtime, context.object, std::move(record)));
}

Napi::Value flush(Call& call) {
  const Slot& queue = call.environment->handles.lookUp(call.integer(0), Kind::Queue, 0);
  check(queue.runtime->clFlush(queue.as<cl_command_queue>()), "clFlush");
  return {};
}

Napi::Value finishSync(Call& call) {
  const Slot& queue = call.slot(0, Kind::Queue);
  check(queue.runtime->clFinish(queue.as<cl_command_queue>()), "clFinish");
  noteEmpty(queue);
  return {};
}

/// isEmpty(queue) -> whether the queue is known to be empty. Does not count as a use.
Napi::Value isEmpty(Call& call) {
  call.environment->requireInitialized();
  const Slot* queue = call.environment->handles.find(call.integer(0), Kind::Queue);
  return call.result(queue != nullptr && !queueRecord(*queue).shared && queueRecord(*queue).emptyAt == queue->uses);
}

/// queueUses(queue) -> number of uses, for wasEmpty() once the current commands have ended. Does not count as a use.
Napi::Value queueUses(Call& call) {
  call.environment->requireInitialized();
  const Slot* queue = call.environment->handles.find(call.integer(0), Kind::Queue);
  return call.result(queue == nullptr ? -1.0 : static_cast<double>(queue->uses));
}

/// wasEmpty(queue, uses): marks the queue as empty if it was not used since that number of uses
Napi::Value wasEmpty(Call& call) {
  call.environment->requireInitialized();
  const Slot* queue = call.environment->handles.find(call.integer(0), Kind::Queue);
  if (queue != nullptr && static_cast<double>(queue->uses) == call.number(1)) noteEmpty(*queue);
  return {};
}

/// marker(queue, waitFor?, wantEvent)
Napi::Value marker(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const auto events = call.events(1, queue.context);
  OptionalEvent event(call.boolean(2));
  const Runtime& runtime = *queue.runtime;
  if (runtime.clEnqueueMarkerWithWaitList || !events.empty()) {
    check(
        runtime.clEnqueueMarkerWithWaitList(queue.as<cl_command_queue>(), size(events), data(events), event.address()),
        "clEnqueueMarkerWithWaitList");
  } else {
    cl_event created = nullptr;
    check(runtime.clEnqueueMarker(queue.as<cl_command_queue>(), &created), "clEnqueueMarker");
    if (event.address() != nullptr)
      *event.address() = created;
    else
      runtime.clReleaseEvent(created);
  }
  return event.result(call, queue);
}

/// barrier(queue, waitFor?, wantEvent)
Napi::Value barrier(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const auto events = call.events(1, queue.context);
  OptionalEvent event(call.boolean(2));
  const Runtime& runtime = *queue.runtime;
  if (runtime.clEnqueueBarrierWithWaitList || !events.empty() || event.address() != nullptr) {
    enqueueBarrier(queue, events, event.address());
  } else {
    check(runtime.clEnqueueBarrier(queue.as<cl_command_queue>()), "clEnqueueBarrier");
  }
  return event.result(call, queue);
}

}  // namespace

void QueueRecord::onRelease(const Slot& queue) {
  if (loanStates) loanStates->queueEnds(queue.as<cl_command_queue>());
  if (svm) svm->queueEnds(queue.as<cl_command_queue>());
  // Events retain their queue in the driver, so those that have ended are released.
  if (harvest) collectTimes(*this);
}

void finishOrLeak(const Slot& queue, std::shared_ptr<void> memory) {
  try {
    if (queue.runtime->clFinish(queue.as<cl_command_queue>()) == CL_SUCCESS) return;
  } catch (const Failure&) {
    // The queue waits for a host function; see dependencies.h.
  }
  static_cast<void>(new std::shared_ptr<void>(std::move(memory)));
}

Napi::Value OptionalEvent::result(Call& call, const Slot& queue) const {
  if (!requested_) return {};
  return call.result(call.environment->handles.add(Kind::Event, event_, *queue.runtime, queue.context));
}

void addQueueExports(Exports& exports) {
  exports.add({{"createQueue", function<createQueue>},
               {"flush", function<flush>},
               {"finishSync", function<finishSync>},
               {"isEmpty", function<isEmpty>},
               {"queueUses", function<queueUses>},
               {"wasEmpty", function<wasEmpty>},
               {"marker", function<marker>},
               {"barrier", function<barrier>}});
}

}  // namespace cl
