// The elements above a limit, in order. Their number is read back to the host, as every library here does.
#include <algorithm>

#include "jobs.h"

namespace bench::array {

namespace {

constexpr cl_float limit = 0.5F;
constexpr size_t tile = 4096;

struct Compaction {
  Launches launches;
  Buffer counts;
  size_t groups = 0;
};

cl_int run(const Rig& rig, const Compaction& compaction) {
  for (const Launch& launch : compaction.launches) launch.enqueue(rig.queue.get());
  cl_int total = 0;
  check(clEnqueueReadBuffer(rig.queue.get(), compaction.counts.get(), CL_TRUE, compaction.groups * sizeof total,
                            sizeof total, &total, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  return total;
}

void prepare(Rig& rig, Compaction& compaction, size_t size) {
  const Operands& operands = rig.operands(size);
  const Program program = rig.program("compact");
  compaction.groups = rig.gpu ? (size + tile - 1) / tile : (size < 4096 ? 1 : 16);
  compaction.counts = createBuffer(rig.context.get(), (compaction.groups + 1) * sizeof(cl_int));
  const cl_mem a = operands.a.get(), out = operands.out.get(), counts = compaction.counts.get();
  const auto n = static_cast<cl_long>(size);
  const auto groups = static_cast<cl_int>(compaction.groups);
  const Range range = rig.gpu ? Range{{compaction.groups * 256}, {256}} : chunks(compaction.groups);
  compaction.launches.emplace_back(program.get(), "count", range, a, counts, n, limit);
  compaction.launches.emplace_back(program.get(), "places", rig.gpu ? Range{{256}, {256}} : chunks(1), counts, groups);
  compaction.launches.emplace_back(program.get(), "write", range, a, counts, out, n, limit);

  std::vector<float> expected;
  std::copy_if(operands.hostA.begin(), operands.hostA.end(), std::back_inserter(expected),
               [](float value) { return value > limit; });
  expectNear(run(rig, compaction), static_cast<double>(expected.size()), 0, "compact");
  const std::vector<float> values = rig.read(operands.out.get(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) expectNear(values[i], expected[i], 0, "compact");
}

Job compactJob(Rig& rig, const Size& size) {
  const auto compaction = std::make_shared<Compaction>();
  return {named("compact", size), [&rig, compaction, n = size.elements](long count) {
            if (compaction->launches.empty()) prepare(rig, *compaction, n);
            const double start = now();
            for (long i = 0; i < count; ++i) run(rig, *compaction);
            return (now() - start) / static_cast<double>(count);
          }};
}

}  // namespace

std::vector<Job> compactJobs(Rig& rig) {
  std::vector<Job> jobs;
  for (const Size& size : sizes) jobs.push_back(compactJob(rig, size));
  return jobs;
}

}  // namespace bench::array
