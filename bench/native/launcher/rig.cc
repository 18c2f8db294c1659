#include "jobs.h"

namespace bench::launcher {

namespace {

std::vector<Kernel> stepKernels(const Rig& rig) {
  std::vector<Kernel> kernels;
  for (size_t i = 0; i < stepLength; ++i) {
    Kernel kernel = createKernel(rig.program.get(), kernelName(static_cast<int>(i)));
    setArguments(kernel.get(), rig.a.get(), rig.b.get(), 1.5F, workItems);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

}  // namespace

Rig::Rig(const std::string& kernelFolder)
    : folder(kernelFolder),
      device(chooseDevice()),
      context(createContext(device)),
      queue(createQueue(context.get(), device)),
      program(buildSource(context.get(), device, readText(kernelFolder + "/twenty.cl"))),
      a(createBuffer(context.get(), workItems * sizeof(float), std::vector<float>(workItems, 1).data())),
      b(createBuffer(context.get(), workItems * sizeof(float), std::vector<float>(workItems).data())),
      kernels(stepKernels(*this)),
      sweepProgram(buildSource(context.get(), device, readText(kernelFolder + "/sweep.cl"))),
      sweep(createKernel(sweepProgram.get(), "sweep")) {
  const cl_mem table = b.get();
  check(clSetKernelArg(sweep.get(), 0, sizeof table, &table), "clSetKernelArg");
}

void setArguments(cl_kernel kernel, cl_mem a, cl_mem b, cl_float s, cl_int n) {
  check(clSetKernelArg(kernel, 0, sizeof a, &a), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof b, &b), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof s, &s), "clSetKernelArg");
  check(clSetKernelArg(kernel, 3, sizeof n, &n), "clSetKernelArg");
}

void enqueue(cl_command_queue queue, cl_kernel kernel, cl_event* event) {
  const size_t items = workItems;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &items, 0, nullptr, event), "clEnqueueNDRangeKernel");
}

bool launchesAreReal(const Rig& rig) {
  enqueue(rig.queue.get(), rig.kernels.front().get());
  float first = 0;
  check(clEnqueueReadBuffer(rig.queue.get(), rig.b.get(), CL_TRUE, 0, sizeof first, &first, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  return first != 0;
}

}  // namespace bench::launcher
