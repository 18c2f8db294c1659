#include "dependencies.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "driver.h"

namespace cl {
namespace {

using Id = uint64_t;
using Ids = std::set<Id>;
/// Shared, since thousands of commands in a row wait for the same. Null for nothing.
using SharedIds = std::shared_ptr<const Ids>;

struct Function {
  std::thread::id thread;
  std::string label;
  /// What it waits for itself.
  Ids before;
  /// It ended before what it waited for, because something had failed: who waits for it still waits for that.
  bool ended = false;
};

struct Queue {
  bool outOfOrder = false;
  bool waitsForAll = false;
  /// What the next command waits for: in order, all that is before it; else the barriers.
  SharedIds next;
  /// Out of order: what any command so far waits for.
  Ids all;
  /// At this many, those that have ended are left out.
  size_t limit = 64;
};

/// Leaked on purpose: threads may still enqueue while the process exits.
struct Table {
  std::atomic<int> pending{0};
  std::mutex mutex;
  Id last = 0;
  std::unordered_map<Id, Function> functions;
  std::unordered_map<cl_event, Id> byUserEvent;
  std::unordered_map<cl_event, SharedIds> events;
  std::unordered_map<cl_command_queue, Queue> queues;

  /// Calls `visit` with every function that has not ended and that these wait for, until it says true.
  template <typename Visit>
  bool search(const Ids& ids, Visit visit) const {
    std::vector<Id> open(ids.begin(), ids.end());
    std::unordered_set<Id> seen;
    while (!open.empty()) {
      const Id id = open.back();
      open.pop_back();
      const auto found = functions.find(id);
      if (found == functions.end() || !seen.insert(id).second) continue;
      if (!found->second.ended && visit(id, found->second)) return true;
      open.insert(open.end(), found->second.before.begin(), found->second.before.end());
    }
    return false;
  }

  bool isPending(Id id) const {
    const auto found = functions.find(id);
    if (found == functions.end()) return false;
    return !found->second.ended || search(found->second.before, [](Id, const Function&) { return true; });
  }

  bool anyPending(const Ids& ids) const {
    for (const Id id : ids) {
      if (isPending(id)) return true;
    }
    return false;
  }

  /// Adds those that are pending, and leaves out what they stand for.
  void merge(Ids& into, const Ids& ids) const {
    for (const Id id : ids) {
      if (!isPending(id) || !into.insert(id).second) continue;
      for (const Id earlier : functions.at(id).before) into.erase(earlier);
    }
  }

  SharedIds merged(const SharedIds& first, const SharedIds& second) const {
    if (!second || second == first || !anyPending(*second)) return first;
    if (!first) return second;
    auto both = std::make_shared<Ids>();
    merge(*both, *first);
    merge(*both, *second);
    return both;
  }

  SharedIds ofEvent(cl_event event) const {
    const auto found = events.find(event);
    return found == events.end() ? SharedIds() : found->second;
  }

  Queue& queueOf(const Runtime& runtime, cl_command_queue queue) {
    const auto [place, isNew] = queues.try_emplace(queue);
    if (isNew) {
      cl_command_queue_properties properties = 0;
      runtime.clGetCommandQueueInfo.quietly(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr);
      place->second.outOfOrder =
          (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0 && !isNvidia(runtime, queue);
      place->second.waitsForAll = place->second.outOfOrder && isPocl(runtime, queue);
    }
    return place->second;
  }

  /// What a command waits for.
  SharedIds needs(const Queue& queue, const Command& command) const {
    SharedIds ids = queue.next;
    if (queue.outOfOrder && command.order != Order::Plain && (command.waits == 0 || queue.waitsForAll))
      ids = queue.all.empty() ? SharedIds() : std::make_shared<Ids>(queue.all);
    if (ids && !anyPending(*ids)) ids.reset();
    for (cl_uint i = 0; i < command.waits; ++i) ids = merged(ids, ofEvent(command.waitFor[i]));
    return ids;
  }

  void note(Queue& queue, const Command& command, const SharedIds& ids) {
    if (!queue.outOfOrder) {
      queue.next = ids;
      return;
    }
    if (!ids) return;
    merge(queue.all, *ids);
    if (command.order == Order::Barrier) queue.next = merged(queue.next, ids);
    if (queue.all.size() < queue.limit) return;
    std::erase_if(queue.all, [&](Id id) { return !isPending(id); });
    queue.limit = std::max<size_t>(64, 2 * queue.all.size());
  }

  /// Throws if one of them is a function of this thread.
  void refuse(const char* routine, const Ids& ids) const {
    std::string label;
    const bool own = search(ids, [&](Id, const Function& function) {
      if (function.thread != std::this_thread::get_id()) return false;
      label = function.label;
      return true;
    });
    if (own) throw Failure{"DEADLOCK", routine, CL_SUCCESS, label, -1};
  }
};

Table& table() {
  static auto* instance = new Table();
  return *instance;
}

}  // namespace

bool functionsPending() { return table().pending.load(std::memory_order_relaxed) != 0; }

void functionBegins(const Runtime&, cl_event user, cl_event before, const std::vector<cl_event>& waitFor,
                    std::string label) {
  Table& self = table();
  const std::lock_guard lock(self.mutex);
  const Id id = ++self.last;
  SharedIds ids = self.ofEvent(before);
  for (const cl_event event : waitFor) ids = self.merged(ids, self.ofEvent(event));
  self.functions.emplace(id, Function{std::this_thread::get_id(), std::move(label), ids ? *ids : Ids()});
  self.byUserEvent[user] = id;
  self.events[user] = std::make_shared<Ids>(Ids{id});
  self.pending.fetch_add(1);
}

void functionEnds(cl_event user) {
  if (!functionsPending()) return;
  Table& self = table();
  const std::lock_guard lock(self.mutex);
  const auto found = self.byUserEvent.find(user);
  if (found == self.byUserEvent.end()) return;
  Function& function = self.functions.at(found->second);
  function.ended = true;
  std::erase_if(function.before, [&](Id id) { return !self.isPending(id); });
  if (function.before.empty()) self.functions.erase(found->second);
  self.byUserEvent.erase(found);
  self.events.erase(user);
  if (self.pending.fetch_sub(1) != 1) return;
  self.functions.clear();
  self.byUserEvent.clear();
  self.events.clear();
  self.queues.clear();
}

void noteCommand(const Runtime& runtime, const Command& command, cl_event event) {
  Table& self = table();
  const std::lock_guard lock(self.mutex);
  if (!functionsPending()) return;
  Queue& queue = self.queueOf(runtime, command.queue);
  const SharedIds ids = self.needs(queue, command);
  self.note(queue, command, ids);
  if (event == nullptr) return;
  if (ids)
    self.events[event] = ids;
  else
    self.events.erase(event);
}

void forgetQueue(cl_command_queue queue) {
  if (!functionsPending()) return;
  const std::lock_guard lock(table().mutex);
  table().queues.erase(queue);
}

void forgetEvent(cl_event event) {
  if (!functionsPending()) return;
  const std::lock_guard lock(table().mutex);
  table().events.erase(event);
}

void eventFollows(cl_event event, cl_event earlier) {
  if (!functionsPending()) return;
  Table& self = table();
  const std::lock_guard lock(self.mutex);
  if (const SharedIds ids = self.ofEvent(earlier)) self.events[event] = ids;
}

void refuseToAwait(const Runtime& runtime, const char* routine, const Command& command) {
  if (!functionsPending()) return;
  Table& self = table();
  const std::lock_guard lock(self.mutex);
  if (const SharedIds ids = self.needs(self.queueOf(runtime, command.queue), command)) self.refuse(routine, *ids);
}

void refuseToBlock(const Runtime& runtime, const char* routine, const Command& command) {
  if (!functionsPending()) return;
  refuseToAwait(runtime, routine, command);
  Table& self = table();
  const std::lock_guard lock(self.mutex);
  const Queue& queue = self.queueOf(runtime, command.queue);
  if (queue.waitsForAll) self.refuse(routine, queue.all);
}

void refuseToFinish(const char* routine, cl_command_queue queue) {
  if (!functionsPending()) return;
  Table& self = table();
  const std::lock_guard lock(self.mutex);
  const auto found = self.queues.find(queue);
  if (found == self.queues.end()) return;
  if (found->second.outOfOrder)
    self.refuse(routine, found->second.all);
  else if (found->second.next)
    self.refuse(routine, *found->second.next);
}

void refuseToWait(const Runtime& runtime, const char* routine, cl_uint count, const cl_event* events) {
  if (!functionsPending()) return;
  Table& self = table();
  for (cl_uint i = 0; i < count; ++i) {
    // One that has failed before its time is not waited for.
    cl_int status = CL_QUEUED;
    runtime.clGetEventInfo.quietly(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    if (status <= CL_COMPLETE) continue;
    const std::lock_guard lock(self.mutex);
    if (const SharedIds ids = self.ofEvent(events[i])) self.refuse(routine, *ids);
  }
}

bool waitsForFunction(cl_event event, cl_event user) {
  if (!functionsPending()) return false;
  Table& self = table();
  const std::lock_guard lock(self.mutex);
  const auto function = self.byUserEvent.find(user);
  const SharedIds ids = self.ofEvent(event);
  if (function == self.byUserEvent.end() || !ids) return false;
  return self.search(*ids, [&](Id id, const Function&) { return id == function->second; });
}

}  // namespace cl
