// Steps on a profiling queue: each launch creates an event whose times are read after the finish. The unit is one
// kernel.
#include <algorithm>

#include "jobs.h"

namespace bench::launcher {

namespace {

cl_ulong timeOf(cl_event event, cl_profiling_info moment) {
  cl_ulong time = 0;
  check(clGetEventProfilingInfo(event, moment, sizeof time, &time, nullptr), "clGetEventProfilingInfo");
  return time;
}

double profiled(const Rig& rig, long count) {
  static const Queue queue = createQueue(rig.context.get(), rig.device, CL_QUEUE_PROFILING_ENABLE);
  static std::vector<cl_event> events(batch);
  std::vector<cl_ulong> totals(stepLength);
  const double start = now();
  for (long done = 0; done < count; done += batch) {
    const auto depth = static_cast<size_t>(std::min(batch, count - done));
    for (size_t i = 0; i < depth; ++i) enqueue(queue.get(), rig.kernels[i % stepLength].get(), &events[i]);
    check(clFinish(queue.get()), "clFinish");
    for (size_t i = 0; i < depth; ++i) {
      totals[i % stepLength] +=
          timeOf(events[i], CL_PROFILING_COMMAND_END) - timeOf(events[i], CL_PROFILING_COMMAND_START);
      check(clReleaseEvent(events[i]), "clReleaseEvent");
    }
  }
  return (now() - start) / static_cast<double>(count);
}

}  // namespace

std::vector<Job> profiledJobs(const Rig& rig) {
  return {{"step-20-profiled", [&](long count) { return profiled(rig, count); }}};
}

}  // namespace bench::launcher
