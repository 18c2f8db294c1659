// Twenty elementwise kernels that each use the results of the one before, launched one by one. The unit is one kernel.
#include <algorithm>

#include "jobs.h"

namespace bench::launcher {

namespace {

struct Chain {
  Chain(const Rig& rig, size_t elements)
      : queue(rig.queue.get()),
        items(elements),
        program(buildSource(rig.context.get(), rig.device, readText(rig.folder + "/chain.cl"))),
        a(createBuffer(rig.context.get(), elements * sizeof(float), std::vector<float>(elements, 1).data())),
        b(createBuffer(rig.context.get(), elements * sizeof(float), std::vector<float>(elements).data())) {
    for (size_t i = 0; i < stepLength; ++i) {
      kernels.push_back(createKernel(program.get(), kernelName(static_cast<int>(i))));
      setArguments(kernels.back().get(), a.get(), b.get(), 1.5F, static_cast<cl_int>(elements));
    }
  }

  void step() const {
    const size_t group = 64;
    for (const Kernel& kernel : kernels)
      check(clEnqueueNDRangeKernel(queue, kernel.get(), 1, nullptr, &items, &group, 0, nullptr, nullptr),
            "clEnqueueNDRangeKernel");
  }

  cl_command_queue queue;
  size_t items;
  Program program;
  Buffer a;
  Buffer b;
  std::vector<Kernel> kernels;
};

double timed(const Rig& rig, const Chain& chain, long count, long depth) {
  const double start = now();
  for (long done = 0; done < count; done += depth) {
    for (long i = 0; i < std::min(depth, count - done); i += stepLength) chain.step();
    check(clFinish(rig.queue.get()), "clFinish");
  }
  return (now() - start) / static_cast<double>(count);
}

double small(const Rig& rig, long count) {
  static const Chain chain(rig, workItems);
  return timed(rig, chain, count, batch);
}

double large(const Rig& rig, long count) {
  static const Chain chain(rig, size_t{1} << 20);
  return timed(rig, chain, count, stepLength);
}

}  // namespace

std::vector<Job> chainJobs(const Rig& rig) {
  return {{"step-20-fused", [&](long count) { return small(rig, count); }},
          {"step-20-fused-large", [&](long count) { return large(rig, count); }}};
}

}  // namespace bench::launcher
