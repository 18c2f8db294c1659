// Commands of enqueue routines and their execution.
//
// A command runs as soon as its wait list is complete, all earlier commands of an in-order queue are complete, and
// FAKE_CL_EVENTS=manual does not block it; often that is immediately. Until then, the command keeps its queue, its
// event and its objects alive.
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

/** Submits a command. A blocking request returns after its completion. */
void submit(const Request& request, const std::vector<Object*>& uses, std::function<void()> work);

/**
 * Returns the host memory that a write reads: the caller's memory or, with FAKE_CL_READS_EARLY, a copy, unless the
 * write waits for a user event.
 */
std::shared_ptr<const std::byte> host_source(const Request& request, const void* host, std::size_t size);

/** Allows all commands that FAKE_CL_EVENTS=manual blocks to complete. */
void complete_all();

/** Allows the queue's commands to complete and waits for them. */
void finish(_cl_command_queue& queue);

/** Blocks until the event completes or fails. */
void wait_for(_cl_event& event);

/** Ends an event: calls its callbacks and runs waiting commands. */
void end_event(_cl_event& event, cl_int status);

/** Calls a callback on the driver thread. */
void post_callback(_cl_event& event, const _cl_event::Callback& callback, cl_int status);

/** Checks a wait list. */
void check_wait_list(cl_context context, cl_uint count, const cl_event* list);

/** Calls the context's error callback once for each new value of FAKE_CL_CONTEXT_ERROR. */
void report_context_error(_cl_context& context);

}  // namespace fake
