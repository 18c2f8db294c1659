// One kernel launched for 10 x 100 combinations of two scalars, then a finish. The unit is one combination.
#include "jobs.h"

namespace bench::launcher {

namespace {

double iterate(const Rig& rig, long count) {
  const cl_kernel kernel = rig.sweep.get();
  const double start = now();
  for (long done = 0; done < count; done += 1000) {
    for (int i = 0; i < 10; ++i) {
      for (int j = 0; j < 100; ++j) {
        const cl_float s = static_cast<cl_float>(i) / 4;
        const cl_int n = j;
        check(clSetKernelArg(kernel, 1, sizeof s, &s), "clSetKernelArg");
        check(clSetKernelArg(kernel, 2, sizeof n, &n), "clSetKernelArg");
        enqueue(rig.queue.get(), kernel);
      }
    }
    check(clFinish(rig.queue.get()), "clFinish");
  }
  return (now() - start) / static_cast<double>(count);
}

}  // namespace

std::vector<Job> iterateJobs(const Rig& rig) {
  return {{"iterate-1000", [&](long count) { return iterate(rig, count); }}};
}

}  // namespace bench::launcher
