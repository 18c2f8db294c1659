#include "profiling/trace.h"

#include <algorithm>
#include <cstring>

#include "exports.h"
#include "profiling/harvest.h"
#include "profiling/statistics.h"

namespace cl {

void Trace::add(TracedCommand command) {
  if (commands_.size() < capacity_) {
    commands_.push_back(std::move(command));
    return;
  }
  commands_[oldest_] = std::move(command);
  oldest_ = (oldest_ + 1) % capacity_;
  ++dropped_;
}

std::vector<TracedCommand> Trace::commands() const {
  std::vector<TracedCommand> ordered(commands_);
  std::rotate(ordered.begin(), ordered.begin() + static_cast<ptrdiff_t>(oldest_), ordered.end());
  return ordered;
}

void Trace::clear() {
  commands_ = {};
  oldest_ = 0;
  dropped_ = 0;
}

namespace {

Trace& traceOf(const Slot& slot) { return *static_cast<Trace*>(slot.record.get()); }

/// createTrace(capacity)
Napi::Value createTrace(Call& call) {
  call.environment->requireInitialized();
  const size_t capacity = call.size(0);
  if (capacity == 0) invalid("the capacity of a trace must be at least 1", 0);
  auto record = std::make_shared<Trace>(capacity);
  return call.result(call.environment->handles.add(Kind::Trace, record.get(), noRuntime(), nullptr, record));
}

/// traceStatistics(statistics, trace or 0, name): writes each command to the trace, under the name's number
Napi::Value traceStatistics(Call& call) {
  std::shared_ptr<Trace> trace;
  if (call.integer(1) != 0) trace = std::static_pointer_cast<Trace>(call.slot(1, Kind::Trace).record);
  statisticsOf(call.slot(0, Kind::Statistics)).setTrace(std::move(trace), call.uint32(2));
  return {};
}

/// readTrace(trace, drain) -> the number of records, the records (oldest first), and the serials of each record's
/// predecessors, as the bytes of 64-bit integers.
Napi::Value readTrace(Call& call) {
  harvestAll(*call.environment);
  const bool drain = call.boolean(1);
  Trace& trace = traceOf(call.slot(0, Kind::Trace));
  constexpr size_t kRecordValues = sizeof(TraceRecord) / sizeof(uint64_t);
  const std::vector<TracedCommand> commands = trace.commands();
  std::vector<uint64_t> values(1 + commands.size() * kRecordValues);
  values[0] = commands.size();
  for (size_t i = 0; i < commands.size(); ++i) {
    TraceRecord record = commands[i].record;
    if (const Predecessors& after = commands[i].after) {
      record.waits = after->size();
      for (const uint32_t distance : *after) values.push_back(record.serial - distance);
    }
    std::memcpy(&values[1 + i * kRecordValues], &record, sizeof record);
  }
  const Napi::Value result = call.resultBytes(values.data(), values.size() * sizeof(uint64_t));
  if (drain) trace.clear();
  return result;
}

/// traceDropped(trace) -> number of records that later ones have overwritten
Napi::Value traceDropped(Call& call) {
  harvestAll(*call.environment);
  return call.result(static_cast<double>(traceOf(call.slot(0, Kind::Trace)).dropped()));
}

}  // namespace

void addTraceExports(Exports& exports) {
  exports.add({{"createTrace", function<createTrace>},
               {"traceStatistics", function<traceStatistics>},
               {"readTrace", function<readTrace>},
               {"traceDropped", function<traceDropped>}});
}

}  // namespace cl
