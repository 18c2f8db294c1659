#include "profiling/harvest.h"

#include <algorithm>

#include "driver/driver.h"
#include "driver/event_status.h"

namespace cl {
namespace {

/// Commands between two polls: few enough to bound the held events, many enough to make polling cheap.
constexpr uint32_t kBatch = 256;
/// NVIDIA's driver answers five times slower, in 1 us, while it has commands to run: polling between two finishes costs
/// 5 us per command, polling after a finish 0.8 us (driver 580, H200).
constexpr uint32_t kBatchOnNvidia = 4096;

/// Creates the part of a trace record that is known when a command is enqueued.
std::unique_ptr<TracedCommand> tracedCommand(const Sizes* sizes, const CommandOrder* order, uint32_t queue,
                                             uint64_t called) {
  auto command = std::make_unique<TracedCommand>();
  TraceRecord& record = command->record;
  record.queue = queue;
  if (order != nullptr) {
    record.serial = order->serial;
    command->after = order->after;
  }
  record.called = called;
  record.enqueued = hostClock();
  if (sizes == nullptr) return command;
  record.dimensions = static_cast<uint16_t>(sizes->dimensions);
  record.hasLocal = sizes->hasLocal ? 1 : 0;
  std::copy_n(sizes->global, 3, record.global);
  std::copy_n(sizes->local, 3, record.local);
  return command;
}

}  // namespace

Harvest::Harvest(const Runtime& runtime, bool inOrder, uint32_t number, bool nvidia)
    : runtime_(runtime), inOrder_(inOrder), number_(number), batch_(nvidia ? kBatchOnNvidia : kBatch) {}

Harvest::~Harvest() {
  for (size_t i = next_; i < commands_.size(); ++i) {
    releaseEvents(commands_[i]);
    commands_[i].statistics->settle();
  }
}

void Harvest::add(const std::shared_ptr<Statistics>& statistics, cl_event event, const Sizes* sizes, uint64_t called,
                  const CommandOrder* order) {
  push({event, statistics, statistics->traced() ? tracedCommand(sizes, order, number_, called) : nullptr});
}

void Harvest::addWait(const std::shared_ptr<Statistics>& statistics, cl_event before, cl_event event, WaitEnd end) {
  push({event, statistics, statistics->traced() ? tracedCommand(nullptr, nullptr, number_, 0) : nullptr, before, end});
}

void Harvest::push(Command command) {
  command.statistics->expect();
  commands_.push_back(std::move(command));
  // More than a batch, so that ended commands are found faster than new ones are added.
  if (++sinceCollect_ >= batch_) [[unlikely]]
    collect(size_t{4} * batch_);
}

void Harvest::collect(size_t window) {
  sinceCollect_ = 0;
  // Each command is polled once: those that are moved to the end are after `end`.
  const size_t end = commands_.size();
  for (size_t left = window; next_ < end && left > 0; ++next_) {
    Command& command = commands_[next_];
    if (settle(command)) continue;
    if (inOrder_) break;
    --left;
    // Moved out first: the vector may grow.
    Command postponed = std::move(command);
    commands_.push_back(std::move(postponed));
  }
  if (next_ == commands_.size()) {
    commands_.clear();
    next_ = 0;
  } else if (next_ * 2 > commands_.size()) {
    commands_.erase(commands_.begin(), commands_.begin() + static_cast<ptrdiff_t>(next_));
    next_ = 0;
  }
}

bool Harvest::settle(Command& command) {
  const cl_int status = statusOf(runtime_, command.event, CL_COMPLETE);
  if (status > CL_COMPLETE) return false;
  Statistics& statistics = *command.statistics;
  if (status < 0) {
    if (command.traced) command.traced->record.status = status;
    statistics.failed(command.traced.get());
  } else {
    TracedCommand plain;
    plain.record.queue = number_;
    TracedCommand& traced = command.traced ? *command.traced : plain;
    if (readTimes(command, traced.record.times))
      statistics.succeeded(traced);
    else
      statistics.untimed();
  }
  releaseEvents(command);
  statistics.settle();
  return true;
}

bool Harvest::readTimes(const Command& command, CommandTimes& times) {
  bool known = true;
  const auto queryTime = [&](cl_event event, cl_profiling_info what, uint64_t& time) {
    known = known && runtime_.clGetEventProfilingInfo &&
            runtime_.clGetEventProfilingInfo(event, what, sizeof time, &time, nullptr) == CL_SUCCESS;
  };
  if (command.before != nullptr) {
    queryTime(command.before, CL_PROFILING_COMMAND_QUEUED, times.queued);
    queryTime(command.before, CL_PROFILING_COMMAND_END, times.start);
    const bool untilStart = command.waitEnd == WaitEnd::Start;
    queryTime(command.event, untilStart ? CL_PROFILING_COMMAND_START : CL_PROFILING_COMMAND_END, times.end);
    // What was waited for may have ended before the wait.
    times.end = std::max(times.end, times.start);
    return known;
  }
  queryTime(command.event, CL_PROFILING_COMMAND_QUEUED, times.queued);
  queryTime(command.event, CL_PROFILING_COMMAND_START, times.start);
  queryTime(command.event, CL_PROFILING_COMMAND_END, times.end);
  queryTime(command.event, CL_PROFILING_COMMAND_SUBMIT, times.submit);
  return known;
}

void Harvest::releaseEvents(const Command& command) {
  runtime_.clReleaseEvent.quietly(command.event);
  if (command.before != nullptr) runtime_.clReleaseEvent.quietly(command.before);
}

void Harvests::collectAll() {
  for (const auto& harvest : queues) harvest->collectAll();
  for (auto& [runtime, harvest] : noQueue) harvest.collectAll();
  // Remove those whose queue was released.
  std::erase_if(queues, [](const auto& harvest) { return harvest.use_count() == 1 && harvest->empty(); });
}

void Harvests::close(std::shared_ptr<Harvests> harvests, bool quiet) {
  if (!harvests) return;
  if (quiet)
    harvests->collectAll();
  else
    static_cast<void>(new std::shared_ptr<Harvests>(std::move(harvests)));
}

namespace {

Harvests& harvestsOf(Environment& environment) {
  if (!environment.harvests) {
    environment.harvests = std::make_shared<Harvests>();
    environment.teardownHooks.push_back(
        [&environment](bool quiet) { Harvests::close(std::move(environment.harvests), quiet); });
  }
  return *environment.harvests;
}

}  // namespace

Harvest& harvestOf(Environment& environment, const Slot& queue) {
  QueueRecord& record = queueRecord(queue);
  if (!record.harvest) [[unlikely]] {
    Harvests& harvests = harvestsOf(environment);
    record.harvest = std::make_shared<Harvest>(*queue.runtime, record.inOrder, ++harvests.lastNumber,
                                               isNvidia(*queue.runtime, queue.as<cl_command_queue>()));
    harvests.queues.push_back(record.harvest);
  }
  return *record.harvest;
}

Harvest& harvestOfNoQueue(Environment& environment, const Runtime& runtime) {
  return harvestsOf(environment).noQueue.try_emplace(&runtime, runtime, false, 0u, false).first->second;
}

uint64_t takeSerials(Environment& environment, size_t count) {
  uint64_t& last = harvestsOf(environment).lastSerial;
  const uint64_t first = last + 1;
  last += count;
  return first;
}

void collectTimes(QueueRecord& queue) { queue.harvest->collectAll(); }

void harvestAll(Environment& environment) {
  if (environment.harvests) environment.harvests->collectAll();
}

}  // namespace cl
