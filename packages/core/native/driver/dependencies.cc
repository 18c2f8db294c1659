#include "driver/dependencies.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "driver/driver.h"
#include "driver/event_status.h"
#include "driver/id_set.h"

namespace cl {
namespace {

using Id = IdSet::Id;
using Ids = IdSet;

/// Ids of user events start here, so that host functions, which have the ids below, can be visited separately.
constexpr Id kFirstUserEvent = Id{1} << 63;

/// Something that only one thread can end: a host function or a user event that JavaScript created.
struct Gate {
  std::thread::id thread;
  bool isFunction = false;
  /// Other code has the user event's pointer, so any thread may end it.
  bool isShared = false;
  std::string label;
  /// The gates that a host function waits for.
  Ids before;
  /// Set if a host function ended before its dependencies because of a failure. Commands that wait for it still wait
  /// for those dependencies.
  bool ended = false;
};

struct Queue {
  bool outOfOrder = false;
  /// Markers with a wait list and blocking commands wait for every earlier command.
  bool waitsForAll = false;
  /// Gates that the next command waits for: on an in-order queue those of all earlier commands, else of the barriers.
  Ids next;
  /// Out of order: gates that any command so far waits for.
  Ids all;
  /// Size of a set from which gates that have ended are removed.
  size_t limit = 64;
};

/// Leaked on purpose: threads may still enqueue while the process exits.
struct Table {
  std::atomic<int> pending{0};
  std::atomic<bool> unknownWaits{false};
  std::mutex mutex;
  Id last = 0;
  std::unordered_map<Id, Gate> gates;
  std::unordered_map<cl_event, Id> byUserEvent;
  std::unordered_map<cl_event, Ids> events;
  std::unordered_map<cl_command_queue, Queue> queues;

  /// Calls `visit` with every pending gate that `ids` wait for, directly or indirectly, until it returns true.
  template <typename Visit>
  bool search(const Ids& ids, Visit visit) const {
    std::vector<Id> open;
    const auto push = [&](const Ids& more) {
      more.any([&](Id id) {
        open.push_back(id);
        return false;
      });
    };
    push(ids);
    std::unordered_set<Id> seen;
    while (!open.empty()) {
      const Id id = open.back();
      open.pop_back();
      const auto found = gates.find(id);
      if (found == gates.end() || !seen.insert(id).second) continue;
      if (!found->second.ended && visit(id, found->second)) return true;
      push(found->second.before);
    }
    return false;
  }

  bool isPending(Id id) const {
    const auto found = gates.find(id);
    if (found == gates.end()) return false;
    return !found->second.ended || search(found->second.before, [](Id, const Gate&) { return true; });
  }

  bool anyPending(const Ids& ids) const {
    return ids.any([&](Id id) { return isPending(id); });
  }

  /// Removes the gates that host functions in the set already wait for.
  Ids collapsed(Ids ids) const {
    const Ids original = ids;
    original.any(
        [&](Id id) {
          const auto found = gates.find(id);
          if (found == gates.end()) return false;
          found->second.before.any([&](Id earlier) {
            ids = ids.without(earlier);
            return false;
          });
          return false;
        },
        kFirstUserEvent);
    return ids;
  }

  Ids merged(const Ids& first, const Ids& second) const {
    if (second.empty() || second.isSame(first) || !anyPending(second)) return first;
    if (first.empty()) return second;
    return collapsed(first.with(second));
  }

  /// Removes gates that have ended if the set has reached its limit.
  void shrink(Ids& ids, size_t& limit) const {
    if (ids.size() < limit) return;
    ids = ids.filtered([&](Id id) { return isPending(id); });
    limit = std::max<size_t>(64, 2 * ids.size());
  }

  Ids ofEvent(cl_event event) const {
    const auto found = events.find(event);
    return found == events.end() ? Ids() : found->second;
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

  /// Returns the gates that a command waits for.
  Ids dependenciesOf(const Queue& queue, const Command& command) const {
    Ids ids = queue.next;
    const bool waitsForAll =
        command.waits == 0 ? command.order != Order::Plain : command.order == Order::Marker && queue.waitsForAll;
    if (queue.outOfOrder && waitsForAll) ids = queue.all;
    if (!ids.empty() && !anyPending(ids)) ids = {};
    for (cl_uint i = 0; i < command.waits; ++i) ids = merged(ids, ofEvent(command.waitFor[i]));
    return ids;
  }

  void record(Queue& queue, const Command& command, const Ids& ids) {
    if (!queue.outOfOrder) {
      queue.next = ids;
      shrink(queue.next, queue.limit);
      return;
    }
    if (ids.empty()) return;
    queue.all = merged(queue.all, ids);
    if (command.order == Order::Barrier) queue.next = merged(queue.next, ids);
    shrink(queue.all, queue.limit);
  }

  /// Returns the gates that finishing the queue waits for.
  const Ids* unfinished(cl_command_queue queue) const {
    const auto found = queues.find(queue);
    if (found == queues.end()) return nullptr;
    return found->second.outOfOrder ? &found->second.all : &found->second.next;
  }

  /// Throws if any of them can only be ended by this thread.
  void refuse(const char* routine, const Ids& ids) const {
    Failure failure{"DEADLOCK", routine, CL_SUCCESS, {}, -1};
    const bool deadlocks = search(ids, [&](Id, const Gate& gate) {
      if (!isOnThisThread(gate)) return false;
      if (!gate.isFunction) failure.code = "DEADLOCK_USER_EVENT";
      failure.detail = gate.label;
      return true;
    });
    if (deadlocks) throw failure;
  }

  static bool isOnThisThread(const Gate& gate) { return !gate.isShared && gate.thread == std::this_thread::get_id(); }

  void begin(cl_event user, Id id, Gate gate) {
    gates.emplace(id, std::move(gate));
    byUserEvent[user] = id;
    events[user] = Ids(id);
    pending.fetch_add(1);
  }
};

Table& table() {
  static auto* instance = new Table();
  return *instance;
}

}  // namespace

bool gatesPending() { return table().pending.load(std::memory_order_relaxed) != 0; }

void functionBegins(const Runtime&, cl_event user, cl_event before, const std::vector<cl_event>& waitFor,
                    std::string label) {
  Table& self = table();
  const std::lock_guard lock(self.mutex);
  Ids ids = self.ofEvent(before);
  for (const cl_event event : waitFor) ids = self.merged(ids, self.ofEvent(event));
  self.begin(user, ++self.last, {std::this_thread::get_id(), true, false, std::move(label), std::move(ids)});
}

void userEventBegins(cl_event user) {
  Table& self = table();
  const std::lock_guard lock(self.mutex);
  self.begin(user, kFirstUserEvent + ++self.last, {std::this_thread::get_id()});
}

void userEventShared(cl_event user) {
  if (!gatesPending()) return;
  Table& self = table();
  const std::lock_guard lock(self.mutex);
  if (const auto found = self.byUserEvent.find(user); found != self.byUserEvent.end())
    self.gates.at(found->second).isShared = true;
}

void gateEnds(cl_event user) {
  if (!gatesPending()) return;
  Table& self = table();
  const std::lock_guard lock(self.mutex);
  const auto found = self.byUserEvent.find(user);
  if (found == self.byUserEvent.end()) return;
  Gate& gate = self.gates.at(found->second);
  gate.ended = true;
  gate.before = gate.before.filtered([&](Id id) { return self.isPending(id); });
  if (gate.before.empty()) self.gates.erase(found->second);
  self.byUserEvent.erase(found);
  self.events.erase(user);
  if (self.pending.fetch_sub(1) != 1) return;
  self.gates.clear();
  self.byUserEvent.clear();
  self.events.clear();
  self.queues.clear();
}

void noteCommand(const Runtime& runtime, const Command& command, cl_event event) {
  Table& self = table();
  const std::lock_guard lock(self.mutex);
  if (!gatesPending()) return;
  Queue& queue = self.queueOf(runtime, command.queue);
  const Ids ids = self.dependenciesOf(queue, command);
  self.record(queue, command, ids);
  if (event == nullptr) return;
  if (ids.empty())
    self.events.erase(event);
  else
    self.events[event] = ids;
}

void forgetQueue(cl_command_queue queue) {
  if (!gatesPending()) return;
  const std::lock_guard lock(table().mutex);
  table().queues.erase(queue);
}

void forgetEvent(cl_event event) {
  if (!gatesPending()) return;
  const std::lock_guard lock(table().mutex);
  table().events.erase(event);
}

void eventFollows(cl_event event, cl_event earlier) {
  if (!gatesPending()) return;
  Table& self = table();
  const std::lock_guard lock(self.mutex);
  if (const Ids ids = self.ofEvent(earlier); !ids.empty()) self.events[event] = ids;
}

void refuseToAwait(const Runtime& runtime, const char* routine, const Command& command) {
  if (!gatesPending()) return;
  Table& self = table();
  const std::lock_guard lock(self.mutex);
  self.refuse(routine, self.dependenciesOf(self.queueOf(runtime, command.queue), command));
}

void refuseToBlock(const Runtime& runtime, const char* routine, const Command& command) {
  if (!gatesPending()) return;
  refuseToAwait(runtime, routine, command);
  Table& self = table();
  const std::lock_guard lock(self.mutex);
  const Queue& queue = self.queueOf(runtime, command.queue);
  if (queue.waitsForAll) self.refuse(routine, queue.all);
}

void refuseToFinish(const char* routine, cl_command_queue queue) {
  if (!gatesPending()) return;
  Table& self = table();
  const std::lock_guard lock(self.mutex);
  if (const Ids* ids = self.unfinished(queue)) self.refuse(routine, *ids);
}

void refuseToWait(const Runtime& runtime, const char* routine, cl_uint count, const cl_event* events) {
  if (!gatesPending()) return;
  Table& self = table();
  for (cl_uint i = 0; i < count; ++i) {
    // clWaitForEvents returns immediately for an event that has failed.
    if (statusOf(runtime, events[i], CL_QUEUED) <= CL_COMPLETE) continue;
    const std::lock_guard lock(self.mutex);
    self.refuse(routine, self.ofEvent(events[i]));
  }
}

Blocker blockerOf(cl_command_queue queue) {
  Table& self = table();
  Blocker blocker = self.unknownWaits.load(std::memory_order_relaxed) ? Blocker::Others : Blocker::Nothing;
  if (!gatesPending()) return blocker;
  const std::lock_guard lock(self.mutex);
  const Ids* ids = self.unfinished(queue);
  if (ids == nullptr) return blocker;
  self.search(*ids, [&](Id, const Gate& gate) {
    blocker = Table::isOnThisThread(gate) ? Blocker::ThisThread : Blocker::Others;
    return blocker == Blocker::ThisThread;
  });
  return blocker;
}

void noteUnknownWaits() { table().unknownWaits.store(true); }

bool waitsForFunction(cl_event event, cl_event user) {
  if (!gatesPending()) return false;
  Table& self = table();
  const std::lock_guard lock(self.mutex);
  const auto function = self.byUserEvent.find(user);
  if (function == self.byUserEvent.end()) return false;
  return self.search(self.ofEvent(event), [&](Id id, const Gate&) { return id == function->second; });
}

}  // namespace cl
