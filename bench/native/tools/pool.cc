// The cost of memory without a pool: buffers are created and released.
#include <cmath>
#include <cstdint>

#include "jobs.h"

namespace bench::tools {

namespace {

constexpr size_t live = 64;
constexpr size_t steps = 4096;
constexpr double smallest = 256;
constexpr double largest = 1 << 20;

Job oneSize(const Rig& rig, const char* name, size_t bytes) {
  return {name, [&rig, bytes](long count) {
            const double start = now();
            for (long i = 0; i < count; ++i) createBuffer(rig.context.get(), bytes);
            return (now() - start) / static_cast<double>(count);
          }};
}

struct Step {
  size_t slot;
  size_t bytes;
};

// Returns which block to replace and the size of its successor, step by step: the same as in src/ours/tools/pool.mjs.
std::vector<Step> sequence() {
  uint32_t state = 1;
  const auto random = [&] {
    state = state * 1664525 + 1013904223;
    return state / 4294967296.0;
  };
  std::vector<Step> result(steps);
  for (Step& step : result) {
    step.slot = static_cast<size_t>(random() * live);
    step.bytes = static_cast<size_t>(smallest * std::pow(largest / smallest, random()));
  }
  return result;
}

double mixed(const Rig& rig, long count) {
  static const std::vector<Step> sequenceOfSteps = sequence();
  std::vector<Buffer> blocks;
  for (size_t i = 0; i < live; ++i) blocks.push_back(createBuffer(rig.context.get(), sequenceOfSteps[i].bytes));
  const double start = now();
  for (long i = 0; i < count; ++i) {
    const Step& step = sequenceOfSteps[static_cast<size_t>(i) % steps];
    blocks[step.slot].reset();
    blocks[step.slot] = createBuffer(rig.context.get(), step.bytes);
  }
  return (now() - start) / static_cast<double>(count);
}

}  // namespace

std::vector<Job> poolJobs(const Rig& rig) {
  return {oneSize(rig, "pool-4KiB", 4 << 10),
          oneSize(rig, "pool-1MiB", 1 << 20),
          oneSize(rig, "pool-64MiB", 64 << 20),
          {"pool-mixed", [&](long count) { return mixed(rig, count); }}};
}

}  // namespace bench::tools
