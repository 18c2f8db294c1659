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
  std::vector<TracedCommand> all(commands_);
  std::rotate(all.begin(), all.begin() + static_cast<ptrdiff_t>(oldest_), all.end());
  return all;
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
  if (capacity == 0) invalid("a trace must have room for one command", 0);
  auto record = std::make_shared<Trace>(capacity);
  return call.result(call.environment->handles.add(Kind::Trace, record.get(), systemRuntime(), nullptr, record));
}

/// traceStatistics(statistics, trace or 0, name): also writes each of its commands into a trace, under a number.
Napi::Value traceStatistics(Call& call) {
  std::shared_ptr<Trace> trace;
  if (call.integer(1) != 0) trace = std::static_pointer_cast<Trace>(call.slot(1, Kind::Trace).record);
  statisticsOf(call.slot(0, Kind::Statistics)).setTrace(std::move(trace), call.word(2));
  return {};
}

/// readTrace(trace, drain) -> how many records there are; the records, the oldest first; the serials of what each of
/// them began after. All of 64 bits, so that they lie as they are read.
Napi::Value readTrace(Call& call) {
  harvestAll(*call.environment);
  const bool drain = call.boolean(1);
  Trace& trace = traceOf(call.slot(0, Kind::Trace));
  constexpr size_t kWords = sizeof(TraceRecord) / sizeof(uint64_t);
  const std::vector<TracedCommand> commands = trace.commands();
  std::vector<uint64_t> words(1 + commands.size() * kWords);
  words[0] = commands.size();
  for (size_t i = 0; i < commands.size(); ++i) {
    TraceRecord record = commands[i].record;
    if (const Predecessors& after = commands[i].after) {
      record.waits = after->size();
      for (const uint32_t lower : *after) words.push_back(record.serial - lower);
    }
    std::memcpy(&words[1 + i * kWords], &record, sizeof record);
  }
  const Napi::Value result = call.resultBytes(words.data(), words.size() * sizeof(uint64_t));
  if (drain) trace.clear();
  return result;
}

/// traceDropped(trace): records that later ones have taken the place of
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
