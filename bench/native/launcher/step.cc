// Steps of twenty kernels, in batches that end with a finish. The unit is one kernel.
#include <algorithm>

#include "jobs.h"

namespace bench::launcher {

namespace {

template <typename Step>
double timed(const Rig& rig, long count, Step&& step) {
  const double start = now();
  long steps = 0;
  for (long done = 0; done < count; done += batch) {
    for (long i = 0; i < std::min(batch, count - done); i += stepLength) step(steps++);
    check(clFinish(rig.queue.get()), "clFinish");
  }
  return (now() - start) / static_cast<double>(count);
}

double fixed(const Rig& rig, long count) {
  return timed(rig, count, [&](long) {
    for (const Kernel& kernel : rig.kernels) enqueue(rig.queue.get(), kernel.get());
  });
}

// One scalar of each kernel changes in each step.
double patched(const Rig& rig, long count) {
  return timed(rig, count, [&](long step) {
    for (size_t i = 0; i < stepLength; ++i) {
      const cl_float s = static_cast<cl_float>(static_cast<long>(i) + (step & 1));
      check(clSetKernelArg(rig.kernels[i].get(), 2, sizeof s, &s), "clSetKernelArg");
    }
    for (const Kernel& kernel : rig.kernels) enqueue(rig.queue.get(), kernel.get());
  });
}

// All kernels get the same new value in each step.
double shared(const Rig& rig, long count) {
  return timed(rig, count, [&](long step) {
    const cl_float s = static_cast<cl_float>(step & 1);
    for (const Kernel& kernel : rig.kernels) check(clSetKernelArg(kernel.get(), 2, sizeof s, &s), "clSetKernelArg");
    for (const Kernel& kernel : rig.kernels) enqueue(rig.queue.get(), kernel.get());
  });
}

}  // namespace

std::vector<Job> stepJobs(const Rig& rig) {
  return {{"step-20-fixed", [&](long count) { return fixed(rig, count); }},
          {"step-20-patched", [&](long count) { return patched(rig, count); }},
          {"step-20-shared", [&](long count) { return shared(rig, count); }}};
}

}  // namespace bench::launcher
