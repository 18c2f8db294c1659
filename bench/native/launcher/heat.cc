// Twenty steps of the heat equation, launched one by one. The unit is one kernel.
#include <algorithm>
#include <memory>

#include "jobs.h"

namespace bench::launcher {

namespace {

// Maximum number of kernels between two finishes.
constexpr long depth = 200;

struct Heat {
  Heat(const Rig& rig, size_t n) : queue(rig.queue.get()), range{n, n}, program(programOf(rig)) {
    std::vector<float> start(n * n);
    for (size_t i = 0; i < start.size(); ++i) start[i] = static_cast<float>(i % 17);
    for (Buffer& buffer : buffers) buffer = createBuffer(rig.context.get(), n * n * sizeof(float), start.data());
    for (size_t i = 0; i < stepLength; ++i) {
      kernels.push_back(createKernel(program.get(), "heat"));
      setArguments(kernels.back().get(), buffers[i % 2].get(), buffers[1 - i % 2].get(), 0.1F, static_cast<cl_int>(n));
    }
  }

  static Program programOf(const Rig& rig) {
    return buildSource(rig.context.get(), rig.device, readText(rig.folder + "/heat.cl"));
  }

  void step(cl_float dt) const {
    for (const Kernel& kernel : kernels) {
      check(clSetKernelArg(kernel.get(), 2, sizeof dt, &dt), "clSetKernelArg");
      check(clEnqueueNDRangeKernel(queue, kernel.get(), 2, nullptr, range, nullptr, 0, nullptr, nullptr),
            "clEnqueueNDRangeKernel");
    }
  }

  cl_command_queue queue;
  size_t range[2];
  Program program;
  Buffer buffers[2];
  std::vector<Kernel> kernels;
};

double timed(const Rig& rig, const Heat& heat, long count) {
  const double start = now();
  for (long done = 0; done < count; done += depth) {
    for (long i = 0; i < std::min(depth, count - done); i += stepLength)
      heat.step(0.1F + static_cast<float>(i) * 1e-6F);
    check(clFinish(rig.queue.get()), "clFinish");
  }
  return (now() - start) / static_cast<double>(count);
}

Job heatJob(const Rig& rig, size_t n) {
  const auto heat = std::make_shared<std::unique_ptr<Heat>>();
  return {"step-20-resident-" + std::to_string(n), [&rig, heat, n](long count) {
            if (!*heat) *heat = std::make_unique<Heat>(rig, n);
            return timed(rig, **heat, count);
          }};
}

}  // namespace

std::vector<Job> heatJobs(const Rig& rig) {
  std::vector<Job> jobs;
  for (const size_t n : {64, 256, 512, 1024}) jobs.push_back(heatJob(rig, n));
  return jobs;
}

}  // namespace bench::launcher
