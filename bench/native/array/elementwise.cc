// Elementwise operations.
#include <utility>

#include "jobs.h"

namespace bench::array {

namespace {

using Expected = float (*)(float a, float b, float c);

struct Formula {
  const char* job;
  const char* kernel;
  size_t operands;
  Expected expected;
};

constexpr Formula formulas[] = {
    {"add", "add", 2, [](float a, float b, float) { return a + b; }},
    {"fused", "fused", 3, [](float a, float b, float c) { return 2 * a + 3 * b - c; }},
};

Range rangeFor(const Rig& rig, size_t elements) {
  if (rig.gpu) return items((elements + 3) / 4);
  return chunks(elements < 4096 ? 1 : 16);
}

// CPU kernels use streaming stores if the data exceeds the cache.
Program programFor(const Rig& rig, size_t bytes) {
  return rig.program("elementwise", rig.exceedsCache(bytes) ? "#define STREAM\n" : "");
}

void verify(const Rig& rig, const Operands& operands, const Launch& launch, const char* job, Expected expected) {
  launch.enqueue(rig.queue.get());
  const std::vector<float> values = rig.read(operands.out.get(), operands.size);
  for (size_t i = 0; i < values.size(); ++i)
    expectNear(values[i], expected(operands.hostA[i], operands.hostB[i], operands.hostC[i]), 1e-6, job);
}

Launches formulaLaunches(Rig& rig, const Formula& formula, size_t size) {
  Operands& operands = rig.operands(size);
  const cl_mem a = operands.a.get(), b = operands.b.get(), c = operands.c.get(), out = operands.out.get();
  const Program program = programFor(rig, size * sizeof(float) * (formula.operands + 1));
  const auto n = static_cast<cl_long>(size);
  const Range range = rangeFor(rig, size);
  Launches launches;
  if (formula.operands == 2)
    launches.emplace_back(program.get(), formula.kernel, range, a, b, out, n);
  else
    launches.emplace_back(program.get(), formula.kernel, range, a, b, c, out, n);
  verify(rig, operands, launches.front(), formula.job, formula.expected);
  return launches;
}

Launches chooseLaunches(Rig& rig, size_t size) {
  Operands& operands = rig.operands(size);
  static std::vector<Buffer> conditions;
  std::vector<cl_uchar> above(size);
  for (size_t i = 0; i < size; ++i) above[i] = operands.hostC[i] > 0.5F;
  const cl_mem condition = conditions.emplace_back(createBuffer(rig.context.get(), size, above.data())).get();
  const cl_mem a = operands.a.get(), b = operands.b.get(), out = operands.out.get();
  const Program program = programFor(rig, size * (3 * sizeof(float) + 1));
  Launches launches;
  launches.emplace_back(program.get(), "choose", rangeFor(rig, size), condition, a, b, out, static_cast<cl_long>(size));
  verify(rig, operands, launches.front(), "where", [](float x, float y, float z) { return z > 0.5F ? x : y; });
  return launches;
}

}  // namespace

std::vector<Job> elementwiseJobs(Rig& rig) {
  std::vector<Job> jobs;
  for (const Size& size : sizes) {
    for (const Formula& formula : formulas)
      jobs.push_back(launchesJob(rig, named(formula.job, size),
                                 [&rig, &formula, n = size.elements] { return formulaLaunches(rig, formula, n); }));
    jobs.push_back(
        launchesJob(rig, named("where", size), [&rig, n = size.elements] { return chooseLaunches(rig, n); }));
  }
  return jobs;
}

}  // namespace bench::array
