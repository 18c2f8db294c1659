// Commands: what every enqueue routine submits, and when it takes effect.
//
// A command runs when its wait list is complete, every earlier command of an in-order queue is complete, and
// FAKE_CL_EVENTS=manual does not hold it; if nothing holds it, that is immediately. Until then the command keeps
// its queue, its event and the objects it uses alive.
#pragma once

#include "objects.h"

namespace fake {

struct Request {
  cl_command_queue queue;
  cl_command_type type;
  cl_uint wait_count;
  const cl_event* wait_list;
  cl_event* event;
  bool blocking = false;
};

/** Submits a command. Returns after its completion if it blocks. */
void submit(const Request& request, const std::vector<Object*>& uses, std::function<void()> work);

/**
 * The host memory that a write reads: read when the command runs or, with FAKE_CL_READS_EARLY, copied now unless the
 * write waits for a user event.
 */
std::shared_ptr<const std::byte> host_source(const Request& request, const void* host, std::size_t size);

/** Allows every command that FAKE_CL_EVENTS=manual holds to complete. */
void complete_all();

/** Allows the queue's commands to complete and waits for them. */
void finish(_cl_command_queue& queue);

/** Blocks until the event has completed or failed. */
void wait_for(_cl_event& event);

/** Ends an event: calls its callbacks and runs the commands that waited for it. */
void end_event(_cl_event& event, cl_int status);

/** Calls one callback from the driver thread. */
void post_callback(_cl_event& event, const _cl_event::Callback& callback, cl_int status);

/** Checks a wait list. */
void check_wait_list(cl_context context, cl_uint count, const cl_event* list);

/** Calls the context's error callback if FAKE_CL_CONTEXT_ERROR requests it, once for each of its values. */
void report_context_error(_cl_context& context);

}  // namespace fake
