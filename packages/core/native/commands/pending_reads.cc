#include "commands/pending_reads.h"

#include <map>
#include <mutex>
#include <unordered_set>

#include "driver/dependencies.h"
#include "driver/event_status.h"
#include "objects/queue_record.h"

namespace cl {
namespace {

class PendingRead;

/// Process-wide, because threads may share host memory. Leaked on purpose: drivers may call back during exit.
struct PendingReads {
  std::mutex mutex;
  uint64_t last = 0;
  /// In enqueue order.
  std::map<uint64_t, PendingRead*> byNumber;
};

PendingReads& pendingReads() {
  static auto* const instance = new PendingReads;
  return *instance;
}

/// A read that has not ended; registered while it lives.
class PendingRead {
 public:
  PendingRead(const Slot& queue, cl_event event, HostRange range, std::shared_ptr<void> pin)
      : inOrder_(queueRecord(queue).inOrder ? queue.object : nullptr), range_(range), pin_(std::move(pin)) {
    check(queue.runtime->clRetainEvent(event), "clRetainEvent");
    event_ = std::make_shared<OwnedEvent>(*queue.runtime, event);
    PendingReads& reads = pendingReads();
    const std::lock_guard lock(reads.mutex);
    number_ = ++reads.last;
    reads.byNumber.emplace(number_, this);
  }
  PendingRead(const PendingRead&) = delete;
  PendingRead& operator=(const PendingRead&) = delete;
  ~PendingRead() {
    const std::lock_guard lock(pendingReads().mutex);
    pendingReads().byNumber.erase(number_);
  }

  bool overlaps(HostRange other) const {
    return range_.data < other.data + other.bytes && other.data < range_.data + range_.bytes;
  }
  const std::shared_ptr<OwnedEvent>& event() const { return event_; }
  /// The queue if it is in-order, else null.
  const void* inOrder() const { return inOrder_; }

 private:
  const void* const inOrder_;
  const HostRange range_;
  const std::shared_ptr<void> pin_;
  std::shared_ptr<OwnedEvent> event_;
  uint64_t number_ = 0;
};

/// Returns the events of the pending reads into the range; for an in-order queue only the last one's. Does not call the
/// driver while it holds the lock, because driver threads take it too.
std::vector<std::shared_ptr<OwnedEvent>> readsInto(HostRange range) {
  PendingReads& reads = pendingReads();
  const std::lock_guard lock(reads.mutex);
  std::vector<std::shared_ptr<OwnedEvent>> events;
  std::unordered_set<const void*> queues;
  for (auto at = reads.byNumber.rbegin(); at != reads.byNumber.rend(); ++at) {
    const PendingRead& read = *at->second;
    if (read.overlaps(range) && (read.inOrder() == nullptr || queues.insert(read.inOrder()).second))
      events.push_back(read.event());
  }
  return events;
}

/// A user event that completes when its last owner drops it.
class Gate {
 public:
  Gate(const Runtime& runtime, cl_context context) : runtime_(runtime) {
    cl_int status = CL_SUCCESS;
    event_ = runtime.clCreateUserEvent(context, &status);
    check(status, "clCreateUserEvent");
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() {
    runtime_.clSetUserEventStatus.quietly(event_, CL_COMPLETE);
    runtime_.clReleaseEvent.quietly(event_);
  }
  cl_event event() const { return event_; }

 private:
  const Runtime& runtime_;
  cl_event event_ = nullptr;
};

}  // namespace

std::shared_ptr<void> notePendingRead(const Slot& queue, cl_event event, HostRange range, std::shared_ptr<void> pin) {
  if (range.bytes == 0 || !queueRecord(queue).readsHostEarly) return nullptr;
  return std::make_shared<PendingRead>(queue, event, range, std::move(pin));
}

WriteWaitList::WriteWaitList(Call& call, const Slot& queue, HostRange range, std::vector<cl_event> events)
    : gates_(*queue.runtime), events_(std::move(events)) {
  if (range.bytes == 0 || !queueRecord(queue).readsHostEarly) return;
  const Runtime& runtime = *queue.runtime;
  for (const auto& read : readsInto(range)) {
    // A read may have ended before its callback unregistered it.
    if (statusOf(runtime, read->get(), CL_COMPLETE) <= CL_COMPLETE) continue;
    const auto gate = std::make_shared<Gate>(runtime, static_cast<cl_context>(queue.context));
    check(runtime.clRetainEvent(gate->event()), "clRetainEvent");
    gates_.list.push_back(gate->event());
    events_.push_back(gate->event());
    eventFollows(gate->event(), read->get());
    call.environment->channel->watch(runtime, read->get(), CL_COMPLETE, 0, gate);
  }
}

}  // namespace cl
