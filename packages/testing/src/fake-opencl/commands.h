// Commands: what every enqueue routine hands over, and when it takes effect.
//
// A command's work runs when its wait list is complete, everything before it in an in-order queue is complete, and it
// is not held back by FAKE_CL_EVENTS=manual. That is at once where nothing is in the way. Until then the command keeps
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

/** Takes a command; a blocking one returns after its completion. */
void submit(const Request& request, const std::vector<Object*>& uses, std::function<void()> work);

/**
 * The host memory that a write reads: as it is when the write's turn comes or, with FAKE_CL_READS_EARLY, as it is now
 * unless the write waits for a user event.
 */
std::shared_ptr<const std::byte> host_source(const Request& request, const void* host, std::size_t size);

/** Gives every command that FAKE_CL_EVENTS=manual holds back leave to complete. */
void complete_all();

/** Gives the queue's commands leave to complete, and waits for them. */
void finish(_cl_command_queue& queue);

/** Blocks until the event has completed or failed. */
void wait_for(_cl_event& event);

/** Ends an event: calls its callbacks and lets waiting commands go on. */
void end_event(_cl_event& event, cl_int status);

/** Calls one callback from the driver thread. */
void post_callback(_cl_event& event, const _cl_event::Callback& callback, cl_int status);

/** Checks a wait list. */
void check_wait_list(cl_context context, cl_uint count, const cl_event* list);

/** Calls the context's error callback where FAKE_CL_CONTEXT_ERROR asks for it: once for each value it is given. */
void report_context_error(_cl_context& context);

}  // namespace fake
