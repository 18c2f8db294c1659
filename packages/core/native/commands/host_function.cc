// Host functions: JavaScript functions that run in queue order. OpenCL has no such command, so each consists of three:
// a marker that completes when it is the function's turn, a user event that JavaScript completes when the function has
// finished, and a barrier (out of order: a marker) on that user event that holds the following commands.
//
// Lifetime rule: once the user event exists, every error path fails it, so that no command waits for a function that is
// never called. After a success the handle does so when it is released or when the environment is torn down.
#include "driver/dependencies.h"
#include "driver/held_events.h"
#include "exports.h"
#include "objects/barrier.h"
#include "objects/event.h"

namespace cl {
namespace {

cl_event barrierAfter(const Slot& queue, cl_event waitFor) {
  cl_event event = nullptr;
  enqueueBarrier(queue, {waitFor}, &event);
  return event;
}

/// beginHostFunction(queue, waitFor | undefined, outOfOrder, label) -> [turn, user event, end]
///
/// On an in-order queue the turn does not wait for `waitFor`: if one of these events failed, PoCL would end the turn
/// immediately and later commands would overtake earlier ones. JavaScript waits for them instead.
Napi::Value beginHostFunction(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const auto events = call.events(1, queue.context);
  const bool outOfOrder = call.boolean(2);
  std::string label = call.string(3);
  const Runtime& runtime = *queue.runtime;
  HandleTable& handles = call.environment->handles;

  // Created first, so that dependencies.h records what the commands below wait for.
  cl_int status = CL_SUCCESS;
  const cl_event user = runtime.clCreateUserEvent(static_cast<cl_context>(queue.context), &status);
  check(status, "clCreateUserEvent");
  const Handle userHandle = handles.add(Kind::Event, user, runtime, queue.context);
  handles.peek(userHandle)->userEvent = true;
  userEventOpens(runtime, user);
  try {
    OwnedEvent turn(runtime, outOfOrder ? enqueueNothing(runtime, queue, size(events), data(events))
                                        : enqueueNothing(runtime, queue, 0, nullptr));
    functionBegins(runtime, user, turn.get(), events, std::move(label));
    OwnedEvent end(runtime, outOfOrder ? enqueueNothing(runtime, queue, 1, &user) : barrierAfter(queue, user));
    const Handle turnHandle = handles.add(Kind::Event, turn.take(), runtime, queue.context);
    Handle endHandle = 0;
    try {
      endHandle = handles.add(Kind::Event, end.take(), runtime, queue.context);
    } catch (const Failure&) {
      handles.recycle(turnHandle);
      throw;
    }
    return call.result(std::vector<Handle>{turnHandle, userHandle, endHandle});
  } catch (const Failure&) {
    handles.recycle(userHandle);
    throw;
  }
}

/// waitsForFunction(event, userEvent of a host function) -> whether the event waits for the function
Napi::Value waitsForFunctionExport(Call& call) {
  return call.result(
      waitsForFunction(call.slot(0, Kind::Event).as<cl_event>(), call.slot(1, Kind::Event).as<cl_event>()));
}

/// refuseToAwait(queue, waitFor?): throws if waiting for a command that is enqueued next would deadlock.
Napi::Value refuseToAwaitExport(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const auto events = call.events(1, queue.context);
  refuseToAwait(*queue.runtime, "clWaitForEvents",
                {queue.as<cl_command_queue>(), size(events), data(events), Order::Plain});
  return {};
}

}  // namespace

void addHostFunctionExports(Exports& exports) {
  exports.add({{"beginHostFunction", function<beginHostFunction>},
               {"waitsForFunction", function<waitsForFunctionExport>},
               {"refuseToAwait", function<refuseToAwaitExport>}});
}

}  // namespace cl
