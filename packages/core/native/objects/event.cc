#include "objects/event.h"

#include "driver/dependencies.h"
#include "driver/held_events.h"
#include "exports.h"
#include "napi/event_watches.h"
#include "objects/info.h"

namespace cl {
namespace {

Napi::Value createUserEvent(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  cl_int status = CL_SUCCESS;
  const cl_event event = context.runtime->clCreateUserEvent(context.as<cl_context>(), &status);
  check(status, "clCreateUserEvent");
  const Handle handle = call.environment->handles.add(Kind::Event, event, *context.runtime, context.object);
  call.environment->handles.peek(handle)->userEvent = true;
  userEventOpens(*context.runtime, event);
  userEventBegins(event);
  return call.result(handle);
}

/// setUserEventStatus(event, status)
Napi::Value setUserEventStatus(Call& call) {
  Slot& event = call.slot(0, Kind::Event);
  check(endUserEvent(*event.runtime, event.as<cl_event>(), call.integer(1)), "clSetUserEventStatus");
  // An adopted event was not registered here.
  if (event.userEvent) userEventEnded(event.as<cl_event>());
  event.userEvent = false;
  return {};
}

/// endFailedWatches(): settles the watches of events that have failed, for which some drivers do not call back.
Napi::Value endFailed(Call& call) {
  call.environment->requireInitialized();
  endFailedWatches();
  return {};
}

/// releaseHeldEvents(): releases events held after a failure -> whether it must be called again
Napi::Value releaseHeldEventsExport(Call& call) {
  call.environment->requireInitialized();
  return call.result(releaseHeldEvents());
}

Napi::Value eventStatus(Call& call) {
  const Slot& event = call.slot(0, Kind::Event);
  const auto& entry = event.runtime->clGetEventInfo;
  return call.result(queryValue<cl_int>(
      [&](size_t n, void* p, size_t* need) {
        return entry(event.as<cl_event>(), CL_EVENT_COMMAND_EXECUTION_STATUS, n, p, need);
      },
      entry.name));
}

/// watchEvent(event, stage, id): posts `id` with the status when the event reaches the stage or fails
Napi::Value watchEventExport(Call& call) {
  const Slot& event = call.slot(0, Kind::Event);
  call.environment->channel->watch(*event.runtime, event.as<cl_event>(), call.integer(1), call.number(2), {});
  return {};
}

/// waitSync(events: Int32Array): waits for events of one context
Napi::Value waitSync(Call& call) {
  const std::vector<int32_t> handles = call.integers(0);
  if (handles.empty()) return {};
  const Slot first = call.environment->handles.get(handles[0], Kind::Event);
  const auto events = call.eventsInAnyState(0, first.context);
  const Runtime& runtime = *first.runtime;
  check(runtime.clWaitForEvents(size(events), data(events)), "clWaitForEvents");
  // NVIDIA's clWaitForEvents does not report user events that have failed.
  for (const cl_event event : events) {
    cl_int status = CL_COMPLETE;
    runtime.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    if (status < 0) check(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "clWaitForEvents");
  }
  return {};
}

/// profilingTimes(events: Int32Array, fields: Int32Array, into: BigInt64Array): writes one row of nanoseconds per
/// event. Throws with the position of an event that has no times.
Napi::Value profilingTimes(Call& call) {
  const HostBytes handles = call.bytes(0);
  const HostBytes fields = call.bytes(1);
  const HostBytes into = call.bytes(2);
  const size_t events = handles.bytes / sizeof(Handle);
  const size_t width = fields.bytes / sizeof(int32_t);
  if (into.bytes < events * width * sizeof(cl_ulong)) invalid("the target array is too short", 2);
  const auto* handle = reinterpret_cast<const Handle*>(handles.data);
  const auto* field = reinterpret_cast<const int32_t*>(fields.data);
  auto* time = reinterpret_cast<cl_ulong*>(into.data);
  for (size_t i = 0; i < events; ++i) {
    const Slot& slot = call.environment->handles.get(handle[i], Kind::Event, static_cast<int>(i));
    // NVIDIA returns timestamps before they are valid.
    cl_int state = CL_COMPLETE;
    slot.runtime->clGetEventInfo(slot.as<cl_event>(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, nullptr);
    if (state > CL_COMPLETE)
      throw Failure{"DRIVER", "clGetEventProfilingInfo", CL_PROFILING_INFO_NOT_AVAILABLE, {}, static_cast<int>(i)};
    for (size_t k = 0; k < width; ++k) {
      const cl_int status = slot.runtime->clGetEventProfilingInfo(
          slot.as<cl_event>(), static_cast<cl_profiling_info>(field[k]), sizeof(cl_ulong), time++, nullptr);
      if (status != CL_SUCCESS) throw Failure{"DRIVER", "clGetEventProfilingInfo", status, {}, static_cast<int>(i)};
    }
  }
  return {};
}

}  // namespace

void addEventExports(Exports& exports) {
  exports.add({{"createUserEvent", function<createUserEvent>},
               {"setUserEventStatus", function<setUserEventStatus>},
               {"endFailedWatches", function<endFailed>},
               {"releaseHeldEvents", function<releaseHeldEventsExport>},
               {"eventStatus", function<eventStatus>},
               {"watchEvent", function<watchEventExport>},
               {"waitSync", function<waitSync>},
               {"profilingTimes", function<profilingTimes>}});
}

}  // namespace cl
