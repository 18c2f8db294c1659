#include <array>
#include <utility>

#include "jobs.h"

namespace bench::core {

namespace {

constexpr std::array<float, workItems> filled(float value) {
  std::array<float, workItems> values{};
  values.fill(value);
  return values;
}

constexpr auto ones = filled(1);
constexpr auto zeros = filled(0);

}  // namespace

Rig::Rig(std::string kernelFolder)
    : kernels(std::move(kernelFolder)),
      device(chooseDevice()),
      context(createContext(device)),
      queue(createQueue(context.get(), device)),
      program(buildSource(context.get(), device, readText(kernels + "/launch.cl"))),
      a(createBuffer(context.get(), sizeof ones, ones.data())),
      b(createBuffer(context.get(), sizeof zeros, zeros.data())) {}

void setArguments(cl_kernel kernel, cl_mem a, cl_mem b) {
  const cl_float s = 1.5F;
  const cl_int n = workItems;
  check(clSetKernelArg(kernel, 0, sizeof a, &a), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof b, &b), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof s, &s), "clSetKernelArg");
  check(clSetKernelArg(kernel, 3, sizeof n, &n), "clSetKernelArg");
}

void enqueue(cl_command_queue queue, cl_kernel kernel, cl_event* event) {
  const size_t items = workItems;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &items, 0, nullptr, event), "clEnqueueNDRangeKernel");
}

bool launchesAreReal(Rig& rig) {
  const Kernel kernel = createKernel(rig.program.get(), "scale");
  setArguments(kernel.get(), rig);
  enqueue(rig.queue.get(), kernel.get());
  float first = 0;
  check(clEnqueueReadBuffer(rig.queue.get(), rig.b.get(), CL_TRUE, 0, sizeof first, &first, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  return first != 0;
}

}  // namespace bench::core
