#include "jobs.h"

namespace bench::tools {

Rig::Rig(const std::string& kernelFolder)
    : device(chooseDevice()),
      context(createContext(device)),
      queue(createQueue(context.get(), device)),
      program(buildSource(context.get(), device, readText(kernelFolder + "/pool.cl"))),
      fill(createKernel(program.get(), "fill")),
      add(createKernel(program.get(), "add")) {}

void enqueueFill(const Rig& rig, Size size, cl_mem memory) {
  const cl_float value = 1;
  check(clSetKernelArg(rig.fill.get(), 0, sizeof memory, &memory), "clSetKernelArg");
  check(clSetKernelArg(rig.fill.get(), 1, sizeof value, &value), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(rig.queue.get(), rig.fill.get(), 1, nullptr, &size.global, &size.local, 0, nullptr,
                               nullptr),
        "clEnqueueNDRangeKernel");
}

bool launchesAreReal(const Rig& rig) {
  const std::vector<float> zeros(64);
  const Buffer memory = createBuffer(rig.context.get(), zeros.size() * sizeof(float), zeros.data());
  enqueueFill(rig, {zeros.size(), zeros.size()}, memory.get());
  float first = 0;
  check(clEnqueueReadBuffer(rig.queue.get(), memory.get(), CL_TRUE, 0, sizeof first, &first, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  return first != 0;
}

}  // namespace bench::tools
