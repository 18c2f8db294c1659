#include "napi/event_watches.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driver/event_status.h"
#include "driver/held_events.h"
#include "napi/completion.h"

namespace cl {
namespace {

/// Minimum number of watches for a sweep.
constexpr size_t kMinSweepSize = 64;

struct Watched {
  const Runtime* runtime;
  /// Null if it could not be retained; sweeps skip it then.
  cl_event event;
  Watch watch;
};

void end(const Watched& entry, cl_int status) {
  if (entry.watch.id != 0) entry.watch.channel->post({entry.watch.id, static_cast<double>(status), {}});
  if (entry.watch.onEnd) entry.watch.onEnd(status);
}

/// The process's table of watches. Leaked on purpose: drivers may call back during exit.
class Watches {
 public:
  /// Adds an entry and sets its key. Returns whether a sweep is due.
  bool add(uintptr_t& key, Watched entry) {
    const std::lock_guard lock(mutex_);
    key = ++lastKey_;
    entries_.emplace(key, std::move(entry));
    return entries_.size() >= limit_;
  }

  /// Moves the entry out of the table. Returns false if it is no longer there.
  bool take(uintptr_t key, Watched& entry) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end()) return false;
    entry = std::move(found->second);
    entries_.erase(found);
    // A sweep may be querying this event, so its release is deferred.
    if (sweeping_ && entry.event != nullptr) deferred_.emplace_back(entry.runtime, std::exchange(entry.event, nullptr));
    return true;
  }

  /// Ends the watches whose events have ended and for which `ends(watch, status)` returns true.
  template <typename Ends>
  void sweep(Ends ends) {
    // Without a lock: a listener may cause another sweep.
    for (const auto& [entry, status] : takeEnded(ends)) {
      end(entry, status);
      releaseLater(*entry.runtime, entry.event);
    }
  }

 private:
  /// Moves the entries out of the table that sweep() ends, and returns them with their statuses.
  template <typename Ends>
  std::vector<std::pair<Watched, cl_int>> takeEnded(Ends ends) {
    // One at a time, because the end releases the deferred events.
    const std::lock_guard sweepLock(sweepMutex_);
    struct Query {
      uintptr_t key;
      const Runtime* runtime;
      cl_event event;
    };
    std::vector<Query> queries;
    {
      const std::lock_guard lock(mutex_);
      queries.reserve(entries_.size());
      for (const auto& [key, entry] : entries_) {
        if (entry.event != nullptr) queries.push_back({key, entry.runtime, entry.event});
      }
      sweeping_ = true;
    }
    // Without the lock: a driver may call back while it holds a lock that the query needs.
    std::vector<std::pair<Watched, cl_int>> ended;
    for (const Query& query : queries) {
      const cl_int status = statusOf(*query.runtime, query.event, CL_QUEUED);
      if (status > CL_COMPLETE) continue;
      const std::lock_guard lock(mutex_);
      const auto found = entries_.find(query.key);
      if (found == entries_.end() || !ends(found->second.watch, status)) continue;
      ended.emplace_back(std::move(found->second), status);
      entries_.erase(found);
    }
    std::vector<std::pair<const Runtime*, cl_event>> deferred;
    {
      const std::lock_guard lock(mutex_);
      sweeping_ = false;
      deferred.swap(deferred_);
      limit_ = std::max(kMinSweepSize, 2 * entries_.size());
    }
    for (const auto& [runtime, event] : deferred) runtime->clReleaseEvent.quietly(event);
    return ended;
  }

  std::mutex mutex_;
  std::mutex sweepMutex_;
  std::unordered_map<uintptr_t, Watched> entries_;
  uintptr_t lastKey_ = 0;
  size_t limit_ = kMinSweepSize;
  bool sweeping_ = false;
  std::vector<std::pair<const Runtime*, cl_event>> deferred_;
};

Watches& watches() {
  static auto* instance = new Watches();
  return *instance;
}

void CL_CALLBACK onEvent(cl_event event, cl_int status, void* data) {
  Watched entry{};
  if (!watches().take(reinterpret_cast<uintptr_t>(data), entry)) return;
  // PoCL passes the requested stage even if the event has failed.
  if ((entry.watch.id != 0 || entry.watch.onEnd) && status >= 0) {
    if (const cl_int now = statusOf(*entry.runtime, event, CL_QUEUED); now < 0) status = now;
  }
  end(entry, status);
  entry.watch = {};
  if (entry.event != nullptr) entry.runtime->clReleaseEvent.quietly(entry.event);
}

}  // namespace

void watchEvent(const Runtime& runtime, cl_event event, cl_int stage, Watch watch) {
  const bool held = runtime.clRetainEvent && runtime.clRetainEvent(event) == CL_SUCCESS;
  uintptr_t key = 0;
  const bool full = watches().add(key, {&runtime, held ? event : nullptr, std::move(watch)});
  const cl_int status = runtime.clSetEventCallback(event, stage, onEvent, reinterpret_cast<void*>(key));
  if (status != CL_SUCCESS) {
    Watched entry{};
    if (watches().take(key, entry) && entry.event != nullptr) runtime.clReleaseEvent.quietly(entry.event);
    check(status, "clSetEventCallback");
  }
  if (full) endFailedWatches();
}

void endFailedWatches() {
  releaseHeldEvents();
  watches().sweep([](const Watch&, cl_int status) { return status < 0; });
}

void endWatchesOf(const Channel& channel) {
  watches().sweep([&](const Watch& watch, cl_int) { return watch.channel.get() == &channel; });
}

}  // namespace cl
