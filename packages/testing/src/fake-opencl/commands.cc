// The pending list and its rules (see commands.h).
#include "commands.h"

#include <algorithm>
#include <cstdlib>
#include <list>
#include <utility>

namespace fake {
namespace {

struct Command {
  cl_command_queue queue = nullptr;
  cl_event event = nullptr;
  cl_command_type type = 0;
  bool manual = false;
  cl_int forced = CL_COMPLETE;
  std::vector<cl_event> waits;
  std::vector<Object*> uses;
  std::function<void()> work;
  cl_int* outcome = nullptr;
};

// Never destroyed, like the other global state.
std::list<Command>& pending() {
  static auto* const instance = new std::list<Command>;
  return *instance;
}

bool is_barrier(const Command& command) { return command.type == CL_COMMAND_BARRIER; }

/** Returns true for a marker or barrier without a wait list, which waits for all earlier commands. */
bool waits_for_all(const Command& command) {
  return command.waits.empty() && (is_barrier(command) || command.type == CL_COMMAND_MARKER);
}

bool ready(const Command& command) {
  if (command.manual) return false;
  for (const auto event : command.waits) {
    if (event->status > CL_COMPLETE) return false;
  }
  const bool in_order = (command.queue->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
  for (const Command& earlier : pending()) {
    if (&earlier == &command) break;
    if (earlier.queue == command.queue && (in_order || waits_for_all(command) || is_barrier(earlier))) return false;
  }
  return true;
}

void set_status(_cl_event& event, cl_int status) {
  const bool reached_all = status <= CL_COMPLETE;
  event.status = status;
  for (auto at = event.callbacks.begin(); at != event.callbacks.end();) {
    if (!reached_all && at->type < status) {
      ++at;
      continue;
    }
    post_callback(event, *at, reached_all && status < 0 ? status : at->type);
    at = event.callbacks.erase(at);
  }
}

void execute(Command command) {
  cl_int status = command.forced;
  for (const auto event : command.waits) {
    if (event->status < 0) status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  }
  // Failures are not reported, since the current caller did not enqueue this command.
  if (status == CL_COMPLETE && command.work) guarded(command.work);
  if (command.outcome != nullptr) *command.outcome = status;
  if (command.event != nullptr) {
    auto& times = command.event->times;
    times[2] = std::max(now(), times[1]);
    times[3] = times[2] + 1000;
    times[4] = times[3];
    for (const cl_int step : {CL_SUBMITTED, CL_RUNNING}) set_status(*command.event, step);
    set_status(*command.event, status);
    unhold(*command.event);
  }
  for (const auto event : command.waits) unhold(*event);
  for (const auto object : command.uses) unhold(*object);
  unhold(*command.queue);
}

/** Executes ready commands until there are no more. */
void advance() {
  bool progress = true;
  while (progress) {
    progress = false;
    for (auto at = pending().begin(); at != pending().end();) {
      if (!ready(*at)) {
        ++at;
        continue;
      }
      Command command = std::move(*at);
      at = pending().erase(at);
      execute(std::move(command));
      progress = true;
    }
  }
  changed().notify_all();
}

/** Allows a queue's commands, and those they wait for, to complete. */
void allow(const _cl_command_queue& queue) {
  for (Command& command : pending()) {
    if (command.queue != &queue || !command.manual) continue;
    command.manual = false;
    for (const auto event : command.waits) {
      if (event->queue != nullptr && event->status > CL_COMPLETE) allow(*event->queue);
    }
  }
}

bool idle(const _cl_command_queue& queue) {
  return std::none_of(pending().begin(), pending().end(), [&](const Command& c) { return c.queue == &queue; });
}

cl_event make_event(const Request& request) {
  const auto event = make<_cl_event>();
  event->context = request.queue->context;
  event->queue = request.queue;
  event->type = request.type;
  event->times[0] = now();
  event->times[1] = event->times[0] + 1;
  hold(*event->context);
  hold(*event->queue);
  return event;
}

}  // namespace

void check_wait_list(cl_context context, cl_uint count, const cl_event* list) {
  require((count == 0) == (list == nullptr), CL_INVALID_EVENT_WAIT_LIST, "a wait list and its count disagree");
  for (cl_uint at = 0; at < count; ++at) check_in(context, list[at], CL_INVALID_EVENT_WAIT_LIST);
}

void submit(const Request& request, const std::vector<Object*>& uses, std::function<void()> work) {
  check_wait_list(request.queue->context, request.wait_count, request.wait_list);
  report_context_error(*request.queue->context);
  const std::string mode = control("FAKE_CL_EVENTS");
  cl_int outcome = CL_QUEUED;
  Command command;
  command.queue = request.queue;
  command.type = request.type;
  command.manual = mode == "manual" && !request.blocking;
  if (mode.starts_with("error:")) command.forced = std::atoi(mode.c_str() + 6);
  if (request.wait_count > 0) command.waits.assign(request.wait_list, request.wait_list + request.wait_count);
  command.uses = uses;
  command.work = std::move(work);
  if (request.blocking) command.outcome = &outcome;
  if (request.event != nullptr) {
    command.event = *request.event = make_event(request);
    hold(*command.event);
  }
  hold(*command.queue);
  for (const auto event : command.waits) hold(*event);
  for (const auto object : uses) hold(*object);
  pending().push_back(std::move(command));
  if (request.blocking) allow(*request.queue);
  advance();
  while (request.blocking && outcome == CL_QUEUED) changed().wait(mutex());
  if (request.blocking && outcome < 0) fail(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

std::shared_ptr<const std::byte> host_source(const Request& request, const void* host, std::size_t size) {
  const auto first = static_cast<const std::byte*>(host);
  const auto is_user_event = [](cl_event event) { return event->queue == nullptr; };
  if (control("FAKE_CL_READS_EARLY", 0) == 0 ||
      std::any_of(request.wait_list, request.wait_list + request.wait_count, is_user_event))
    return {first, [](const std::byte*) {}};
  const auto copy = std::make_shared<std::vector<std::byte>>(first, first + size);
  return {copy, copy->data()};
}

void complete_all() {
  bool any = false;
  for (Command& command : pending()) any = std::exchange(command.manual, false) || any;
  if (any) advance();
}

void finish(_cl_command_queue& queue) {
  hold(queue);
  allow(queue);
  advance();
  while (!idle(queue)) changed().wait(mutex());
  unhold(queue);
}

void wait_for(_cl_event& event) {
  hold(event);
  while (event.status > CL_COMPLETE) changed().wait(mutex());
  unhold(event);
}

void end_event(_cl_event& event, cl_int status) {
  set_status(event, status);
  advance();
}

void post_callback(_cl_event& event, const _cl_event::Callback& callback, cl_int status) {
  hold(event);
  post([&event, callback, status] {
    callback.notify(&event, status, callback.user_data);
    const std::lock_guard lock(mutex());
    unhold(event);
  });
}

}  // namespace fake
