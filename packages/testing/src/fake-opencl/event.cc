// Events: user events, waits, callbacks, profiling, markers and barriers.
#include "commands.h"
#include "objects.h"

namespace fake {

void on_destroy(_cl_event& event) {
  // An event that never completed drops its callbacks, since its status can no longer change.
  event.callbacks.clear();
  if (event.queue != nullptr) unhold(*event.queue);
  unhold(*event.context);
}

namespace {

void submit_order(cl_command_queue queue, cl_command_type type, cl_uint count, const cl_event* list, cl_event* event) {
  check(queue, CL_INVALID_COMMAND_QUEUE);
  submit({queue, type, count, list, event}, {}, {});
}

}  // namespace
}  // namespace fake

using namespace fake;

cl_event clCreateUserEvent(cl_context context, cl_int* errcode_ret) {
  return create_routine("clCreateUserEvent", errcode_ret, [&] {
    auto& c = check(context, CL_INVALID_CONTEXT);
    const auto event = make<_cl_event>();
    event->context = context;
    event->status = CL_SUBMITTED;
    hold(c);
    return event;
  });
}

cl_int clSetUserEventStatus(cl_event event, cl_int status) {
  return routine("clSetUserEventStatus", [&] {
    auto& e = check(event, CL_INVALID_EVENT);
    require(e.type == CL_COMMAND_USER, CL_INVALID_EVENT, "not a user event");
    require(status <= CL_COMPLETE, CL_INVALID_VALUE, "a status that does not end an event");
    require(e.status > CL_COMPLETE, CL_INVALID_OPERATION, "a user event that has already ended");
    end_event(e, status);
  });
}

cl_int clWaitForEvents(cl_uint count, const cl_event* events) {
  return routine("clWaitForEvents", [&] {
    require(count > 0 && events != nullptr, CL_INVALID_VALUE, "no events to wait for");
    bool failed = false;
    for (cl_uint at = 0; at < count; ++at) {
      check(events[at], CL_INVALID_EVENT);
      require(events[at]->context == events[0]->context, CL_INVALID_CONTEXT, "events of several contexts");
    }
    for (cl_uint at = 0; at < count; ++at) {
      wait_for(*events[at]);
      failed = failed || events[at]->status < 0;
    }
    if (failed) fail(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  });
}

cl_int clGetEventInfo(cl_event event, cl_event_info name, std::size_t size, void* value, std::size_t* size_ret) {
  return info_routine("clGetEventInfo", size, value, size_ret, [&](Info& out) {
    const auto& e = check(event, CL_INVALID_EVENT);
    switch (name) {
      case CL_EVENT_COMMAND_QUEUE:
        return out.put<cl_command_queue>(e.queue);
      case CL_EVENT_CONTEXT:
        return out.put<cl_context>(e.context);
      case CL_EVENT_COMMAND_TYPE:
        return out.put<cl_command_type>(e.type);
      case CL_EVENT_COMMAND_EXECUTION_STATUS:
        return out.put<cl_int>(e.status);
      case CL_EVENT_REFERENCE_COUNT:
        return out.put<cl_uint>(static_cast<cl_uint>(e.refs));
      default:
        fail(CL_INVALID_VALUE);
    }
  });
}

cl_int clRetainEvent(cl_event event) {
  return routine("clRetainEvent", [&] { retain(event, CL_INVALID_EVENT); });
}

cl_int clReleaseEvent(cl_event event) {
  return release_routine("clReleaseEvent", [&] { release(event, CL_INVALID_EVENT); });
}

cl_int clSetEventCallback(cl_event event, cl_int type, void(CL_CALLBACK* notify)(cl_event, cl_int, void*),
                          void* user_data) {
  return routine("clSetEventCallback", [&] {
    auto& e = check(event, CL_INVALID_EVENT);
    require(notify != nullptr, CL_INVALID_VALUE, "no callback");
    require(type == CL_SUBMITTED || type == CL_RUNNING || type == CL_COMPLETE, CL_INVALID_VALUE,
            "a status without callbacks");
    const _cl_event::Callback callback{type, notify, user_data};
    if (e.status <= type) {
      post_callback(e, callback, e.status < 0 ? e.status : type);
    } else {
      e.callbacks.push_back(callback);
    }
  });
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info name, std::size_t size, void* value,
                               std::size_t* size_ret) {
  return info_routine("clGetEventProfilingInfo", size, value, size_ret, [&](Info& out) {
    const auto& e = check(event, CL_INVALID_EVENT);
    const bool enabled = e.queue != nullptr && (e.queue->flags & CL_QUEUE_PROFILING_ENABLE) != 0;
    if (!enabled || e.status != CL_COMPLETE) fail(CL_PROFILING_INFO_NOT_AVAILABLE);
    if (name == CL_PROFILING_COMMAND_COMPLETE) require_version(200);
    if (name < CL_PROFILING_COMMAND_QUEUED || name > CL_PROFILING_COMMAND_COMPLETE) fail(CL_INVALID_VALUE);
    out.put<cl_ulong>(e.times[name - CL_PROFILING_COMMAND_QUEUED]);
  });
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event* list, cl_event* event) {
  return routine("clEnqueueMarkerWithWaitList", [&] { submit_order(queue, CL_COMMAND_MARKER, count, list, event); });
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count, const cl_event* list, cl_event* event) {
  return routine("clEnqueueBarrierWithWaitList", [&] { submit_order(queue, CL_COMMAND_BARRIER, count, list, event); });
}

cl_int clEnqueueMarker(cl_command_queue queue, cl_event* event) {
  return routine("clEnqueueMarker", [&] {
    require(event != nullptr, CL_INVALID_VALUE, "a null pointer for the event");
    submit_order(queue, CL_COMMAND_MARKER, 0, nullptr, event);
  });
}

cl_int clEnqueueBarrier(cl_command_queue queue) {
  return routine("clEnqueueBarrier", [&] { submit_order(queue, CL_COMMAND_BARRIER, 0, nullptr, nullptr); });
}

cl_int clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event* list) {
  return routine("clEnqueueWaitForEvents", [&] {
    require(count > 0, CL_INVALID_VALUE, "no events to wait for");
    submit_order(queue, CL_COMMAND_BARRIER, count, list, nullptr);
  });
}
