// Host functions: JavaScript functions that have a turn in a queue. OpenCL knows nothing of them, so each is three
// things: a marker that completes when its turn has come, a user event that JavaScript ends when the function has, and
// a barrier (out of order: a marker) that waits for the user event and holds what follows.
//
// Lifetime rule: from the user event on, whatever fails ends it, so that nothing waits for a function that nobody will
// call. Afterwards its handle does so: when it is released, and with the environment.
#include "driver/dependencies.h"
#include "driver/held_events.h"
#include "exports.h"
#include "objects/barrier.h"
#include "objects/event.h"

namespace cl {
namespace {

cl_event barrierBehind(const Slot& queue, cl_event waitFor) {
  cl_event event = nullptr;
  enqueueBarrier(queue, {waitFor}, &event);
  return event;
}

/// beginHostFunction(queue, waitFor | undefined, outOfOrder, label) -> [turn, user event, end]
///
/// In order, `waitFor` is no part of the turn: where one of these events fails, PoCL would end the turn at once and let
/// later commands overtake earlier ones. JavaScript waits for them.
Napi::Value beginHostFunction(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const auto events = call.events(1, queue.context);
  const bool outOfOrder = call.boolean(2);
  std::string label = call.string(3);
  const Runtime& runtime = *queue.runtime;
  HandleTable& handles = call.environment->handles;

  // First, so that the commands below are recorded with what they wait for.
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
    OwnedEvent end(runtime, outOfOrder ? enqueueNothing(runtime, queue, 1, &user) : barrierBehind(queue, user));
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

/// waitsForFunction(event, user event of a host function)
Napi::Value waitsForFunctionExport(Call& call) {
  return call.result(
      waitsForFunction(call.slot(0, Kind::Event).as<cl_event>(), call.slot(1, Kind::Event).as<cl_event>()));
}

/// refuseToAwait(queue, waitFor?): throws where waiting for a command that is to be enqueued would never end.
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
