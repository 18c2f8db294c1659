#include "profiling/statistics.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "exports.h"
#include "objects/kernel.h"
#include "objects/queue_record.h"
#include "profiling/harvest.h"

namespace cl {
namespace {

// src/profile/sketch.ts has the same bins: bin i holds durations in (g^(i-1), g^i] for g = 1.01 / 0.99.
const double kLogGrowth = std::log(1.01 / 0.99);

/// Number of fields before the sketch's bins in readStatistics(). src/profile/command-statistics.ts reads them in the
/// same order.
constexpr size_t kFields = 16;

}  // namespace

void Sketch::add(uint64_t duration) {
  if (duration == 0) {
    ++zeros_;
    return;
  }
  const int bin = static_cast<int>(std::ceil(std::log(static_cast<double>(duration)) / kLogGrowth - 1e-9));
  if (bins_.empty()) {
    first_ = bin;
    bins_.resize(1);
  } else if (bin < first_) {
    bins_.insert(bins_.begin(), static_cast<size_t>(first_ - bin), 0);
    first_ = bin;
  } else if (bin >= first_ + static_cast<int>(bins_.size())) {
    bins_.resize(static_cast<size_t>(bin - first_) + 1);
  }
  ++bins_[static_cast<size_t>(bin - first_)];
}

void DelaySummary::add(uint64_t from, uint64_t to) {
  // Some drivers use different clocks for the two times.
  if (from == 0 || to < from) return;
  ++count;
  total += to - from;
  longest = std::max(longest, to - from);
}

void Statistics::observe(std::shared_ptr<Statistics> observer, bool on) {
  std::erase(observers_, observer);
  if (on) observers_.push_back(std::move(observer));
}

bool Statistics::traced() const {
  return trace_ != nullptr ||
         std::any_of(observers_.begin(), observers_.end(), [](const auto& observer) { return observer->trace_; });
}

void Statistics::add(const TracedCommand& command) {
  const TraceRecord& record = command.record;
  const auto [queued, submit, start, end] = record.times;
  Values& values = values_;
  const uint64_t duration = end - start;
  values.shortest = values.count == 0 ? duration : std::min(values.shortest, duration);
  values.longest = std::max(values.longest, duration);
  ++values.count;
  values.total += duration;
  const double difference = static_cast<double>(duration) - values.mean;
  values.mean += difference / static_cast<double>(values.count);
  values.squares += difference * (static_cast<double>(duration) - values.mean);
  values.queueDelay.add(queued, submit);
  values.submitDelay.add(submit, start);
  values.bytes += record.bytes;
  values.sketch.add(duration);
  if (values.recent.size() < kRecent)
    values.recent.push_back(record.times);
  else
    values.recent[(values.count - 1) % kRecent] = record.times;
  trace(command);
}

void Statistics::trace(const TracedCommand& command) {
  if (!trace_) return;
  TracedCommand named = command;
  named.record.name = traceName_;
  trace_->add(std::move(named));
}

void Statistics::succeeded(TracedCommand& command) {
  TraceRecord& record = command.record;
  if (record.times.end < record.times.start) {
    untimed();
    return;
  }
  record.bytes = bytes_;
  add(command);
  for (const auto& observer : observers_) observer->add(command);
}

void Statistics::failed(const TracedCommand* command) {
  fail(command);
  for (const auto& observer : observers_) observer->fail(command);
}

void Statistics::fail(const TracedCommand* command) {
  ++values_.failed;
  if (command != nullptr) trace(*command);
}

void Statistics::untimed() {
  ++values_.untimed;
  for (const auto& observer : observers_) ++observer->values_.untimed;
}

namespace {

std::shared_ptr<Statistics> statisticsAt(Call& call, size_t position) {
  return statisticsOf(call.slot(position, Kind::Statistics)).shared_from_this();
}

/// createStatistics()
Napi::Value createStatistics(Call& call) {
  call.environment->requireInitialized();
  auto record = std::make_shared<Statistics>();
  return call.result(call.environment->handles.add(Kind::Statistics, record.get(), noRuntime(), nullptr, record));
}

/// setStatisticsBytes(statistics, bytes): sets the bytes that each later command transfers
Napi::Value setStatisticsBytes(Call& call) {
  statisticsOf(call.slot(0, Kind::Statistics)).setBytes(call.size(1));
  return {};
}

/// observeStatistics(statistics, observer, on)
Napi::Value observeStatistics(Call& call) {
  const auto observer = statisticsAt(call, 1);
  Statistics& statistics = statisticsOf(call.slot(0, Kind::Statistics));
  if (observer.get() == &statistics) invalid("statistics cannot observe themselves", 1);
  statistics.observe(observer, call.boolean(2));
  return {};
}

/// setKernelStatistics(kernel, statistics or 0): records the kernel's launches on profiling queues
Napi::Value setKernelStatistics(Call& call) {
  std::shared_ptr<Statistics> statistics;
  if (call.integer(1) != 0) statistics = statisticsAt(call, 1);
  recordOf(call.slot(0, Kind::Kernel)).statistics = std::move(statistics);
  return {};
}

/// pendingCommands(statistics) -> number of commands that are enqueued but not yet recorded
Napi::Value pendingCommands(Call& call) {
  harvestAll(*call.environment);
  return call.result(static_cast<double>(statisticsOf(call.slot(0, Kind::Statistics)).pending()));
}

/// readStatistics(statistics, into: Float64Array, drain) -> number of values. Writes nothing, and drains nothing, if
/// the array is too short.
Napi::Value readStatistics(Call& call) {
  harvestAll(*call.environment);
  const HostBytes into = call.bytes(1);
  const bool drain = call.boolean(2);
  Statistics& statistics = statisticsOf(call.slot(0, Kind::Statistics));
  const Statistics::Values& values = statistics.values();
  const auto& bins = values.sketch.bins();
  const auto filled = static_cast<size_t>(std::count_if(bins.begin(), bins.end(), [](uint64_t n) { return n > 0; }));
  const size_t length = kFields + 2 * filled;
  if (into.bytes / sizeof(double) < length || into.data == nullptr) return call.result(static_cast<double>(length));
  auto* out = reinterpret_cast<double*>(into.data);
  for (const uint64_t value :
       {values.count, values.failed, values.untimed, values.total, values.shortest, values.longest})
    *out++ = static_cast<double>(value);
  *out++ = values.squares;
  for (const DelaySummary& delay : {values.queueDelay, values.submitDelay})
    for (const uint64_t value : {delay.count, delay.total, delay.longest}) *out++ = static_cast<double>(value);
  *out++ = static_cast<double>(values.bytes);
  *out++ = static_cast<double>(values.sketch.zeros());
  *out++ = static_cast<double>(filled);
  // Only bins that are not empty: most are, between a kernel's usual and its rare durations.
  for (size_t i = 0; i < bins.size(); ++i) {
    if (bins[i] == 0) continue;
    *out++ = values.sketch.first() + static_cast<double>(i);
    *out++ = static_cast<double>(bins[i]);
  }
  if (drain) statistics.clear();
  return call.result(static_cast<double>(length));
}

/// recentCommands(statistics) -> the times of the latest commands, oldest first, as four 64-bit numbers each
Napi::Value recentCommands(Call& call) {
  harvestAll(*call.environment);
  const Statistics::Values& values = statisticsOf(call.slot(0, Kind::Statistics)).values();
  std::vector<CommandTimes> recent(values.recent);
  if (recent.size() == Statistics::kRecent)
    std::rotate(recent.begin(), recent.begin() + static_cast<ptrdiff_t>(values.count % Statistics::kRecent),
                recent.end());
  return call.resultBytes(recent.data(), recent.size() * sizeof(CommandTimes));
}

/// hostTime() -> the host's clock in nanoseconds
Napi::Value hostTime(Call& call) {
  call.environment->requireInitialized();
  return call.result(static_cast<double>(hostClock()));
}

/// countSpan(statistics, queueNumber, start, failed): records a host function that began at `start` and has just ended
Napi::Value countSpan(Call& call) {
  Statistics& statistics = statisticsOf(call.slot(0, Kind::Statistics));
  TracedCommand command;
  command.record.queue = call.uint32(1);
  const uint64_t start = call.size(2);
  command.record.times = {0, 0, start, hostClock()};
  if (call.boolean(3)) {
    command.record.status = 1;
    statistics.failed(&command);
  } else {
    statistics.succeeded(command);
  }
  return {};
}

/// queueNumber(queue) -> the queue's number in traces. Does not count as a use.
Napi::Value queueNumber(Call& call) {
  const Slot& queue = call.environment->handles.lookUp(call.integer(0), Kind::Queue, 0);
  return call.result(static_cast<double>(harvestOf(*call.environment, queue).number()));
}

/// harvestEvent(statistics, event, queue or 0): records a command's times when it has ended
Napi::Value harvestEvent(Call& call) {
  Environment& environment = *call.environment;
  const auto statistics = statisticsAt(call, 0);
  const Slot& event = call.slot(1, Kind::Event);
  Harvest& harvest = call.integer(2) == 0 ? harvestOfNoQueue(environment, *event.runtime)
                                          : harvestOf(environment, call.slot(2, Kind::Queue));
  check(event.runtime->clRetainEvent(event.as<cl_event>()), "clRetainEvent");
  harvest.add(statistics, event.as<cl_event>(), nullptr, 0, nullptr);
  return {};
}

}  // namespace

void addStatisticsExports(Exports& exports) {
  exports.add({{"createStatistics", function<createStatistics>},
               {"setStatisticsBytes", function<setStatisticsBytes>},
               {"observeStatistics", function<observeStatistics>},
               {"setKernelStatistics", function<setKernelStatistics>},
               {"pendingCommands", function<pendingCommands>},
               {"readStatistics", function<readStatistics>},
               {"recentCommands", function<recentCommands>},
               {"hostTime", function<hostTime>},
               {"countSpan", function<countSpan>},
               {"queueNumber", function<queueNumber>},
               {"harvestEvent", function<harvestEvent>}});
}

}  // namespace cl
