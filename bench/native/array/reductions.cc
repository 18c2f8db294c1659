// Reductions of an array to one value, which stays on the device.
#include <algorithm>
#include <numeric>

#include "jobs.h"

namespace bench::array {

namespace {

constexpr size_t maxGroups = 4096;

// Partial results, the counter of finished groups, and the result.
struct Scratch {
  explicit Scratch(cl_context context)
      : partials(createBuffer(context, maxGroups * sizeof(float))),
        done(createBuffer(context, sizeof zero, &zero)),
        result(createBuffer(context, sizeof(float))) {}

  const cl_int zero = 0;
  Buffer partials, done, result;
};

struct Reduction {
  const char* job;
  const char* kernel;
  // The kernel that combines partial results.
  const char* combine;
  double (*expected)(const Operands& operands);
};

constexpr Reduction reductions[] = {
    {"sum", "sum", "sum",
     [](const Operands& operands) { return std::accumulate(operands.hostA.begin(), operands.hostA.end(), 0.0); }},
    {"dot", "dot_product", "sum",
     [](const Operands& operands) {
       return std::inner_product(operands.hostA.begin(), operands.hostA.end(), operands.hostB.begin(), 0.0);
     }},
    {"max", "maximum", "maximum",
     [](const Operands& operands) {
       return static_cast<double>(*std::max_element(operands.hostA.begin(), operands.hostA.end()));
     }},
};

Launches launchesFor(Rig& rig, const Scratch& scratch, const Reduction& reduction, size_t size) {
  const Operands& operands = rig.operands(size);
  const Program program = rig.program("reductions");
  const cl_mem a = operands.a.get(), b = operands.b.get();
  const cl_mem partials = scratch.partials.get(), done = scratch.done.get(), result = scratch.result.get();
  const auto n = static_cast<cl_long>(size);
  const bool hasTwoOperands = reduction.kernel == std::string("dot_product");
  Launches launches;
  if (rig.gpu) {
    const size_t groups = std::min(rig.units * 8, (size + 4095) / 4096);
    const Range range{{groups * 256}, {256}};
    const cl_mem first = groups == 1 ? result : partials;
    if (hasTwoOperands)
      launches.emplace_back(program.get(), reduction.kernel, range, a, b, first, n);
    else
      launches.emplace_back(program.get(), reduction.kernel, range, a, first, n);
    if (groups > 1)
      launches.emplace_back(program.get(), reduction.combine, Range{{256}, {256}}, partials, result,
                            static_cast<cl_long>(groups));
  } else {
    const Range range = chunks(size < 4096 ? 1 : 16);
    if (hasTwoOperands)
      launches.emplace_back(program.get(), reduction.kernel, range, a, b, partials, done, result, n);
    else
      launches.emplace_back(program.get(), reduction.kernel, range, a, partials, done, result, n);
  }
  for (const Launch& launch : launches) launch.enqueue(rig.queue.get());
  expectNear(rig.read(result, 1).front(), reduction.expected(operands), 1e-5, reduction.job);
  return launches;
}

}  // namespace

std::vector<Job> reductionJobs(Rig& rig) {
  const auto scratch = std::make_shared<Scratch>(rig.context.get());
  std::vector<Job> jobs;
  for (const Size& size : sizes)
    for (const Reduction& reduction : reductions)
      jobs.push_back(launchesJob(rig, named(reduction.job, size), [&rig, &reduction, scratch, n = size.elements] {
        return launchesFor(rig, *scratch, reduction, n);
      }));
  return jobs;
}

}  // namespace bench::array
