// Launches in batches that end with a finish, like the steps of a simulation.
#include <algorithm>

#include "jobs.h"

namespace bench::core {

namespace {

template <typename Launch>
double timed(const Rig& rig, long count, Launch&& launch) {
  const double start = now();
  for (long done = 0; done < count; done += batch) {
    const long depth = std::min(batch, count - done);
    for (long i = 0; i < depth; ++i) launch(i);
    check(clFinish(rig.queue.get()), "clFinish");
  }
  return (now() - start) / static_cast<double>(count);
}

Kernel presetKernel(const Rig& rig, cl_program program, const std::string& name) {
  Kernel kernel = createKernel(program, name);
  setArguments(kernel.get(), rig);
  return kernel;
}

double eager(Rig& rig, long count) {
  static const Kernel kernel = presetKernel(rig, rig.program.get(), "scale");
  return timed(rig, count, [&](long) {
    setArguments(kernel.get(), rig);
    enqueue(rig.queue.get(), kernel.get());
  });
}

double bound(Rig& rig, long count) {
  static const Kernel kernel = presetKernel(rig, rig.program.get(), "scale");
  return timed(rig, count, [&](long) { enqueue(rig.queue.get(), kernel.get()); });
}

// Twenty kernels whose arguments are set once, launched in turn. The unit is one kernel.
double list(Rig& rig, long count) {
  static const Program program = buildSource(rig.context.get(), rig.device, readText(rig.kernels + "/twenty.cl"));
  static const std::vector<Kernel> kernels = [&] {
    std::vector<Kernel> kernels;
    for (int i = 0; i < 20; ++i) kernels.push_back(presetKernel(rig, program.get(), kernelName(i)));
    return kernels;
  }();
  return timed(rig, count, [&](long i) { enqueue(rig.queue.get(), kernels[static_cast<size_t>(i % 20)].get()); });
}

double finish(Rig& rig, long count) {
  static const Kernel kernel = presetKernel(rig, rig.program.get(), "scale");
  const double start = now();
  for (long i = 0; i < count; ++i) {
    setArguments(kernel.get(), rig);
    enqueue(rig.queue.get(), kernel.get());
    check(clFinish(rig.queue.get()), "clFinish");
  }
  return (now() - start) / static_cast<double>(count);
}

}  // namespace

std::vector<Job> launchJobs(Rig& rig) {
  return {{"launch-4args", [&](long count) { return eager(rig, count); }},
          {"launch-bound", [&](long count) { return bound(rig, count); }},
          {"list-20", [&](long count) { return list(rig, count); }},
          {"launch-finish", [&](long count) { return finish(rig, count); }}};
}

}  // namespace bench::core
