// Memory that kernels write and read: one buffer for all temporaries, or a new one for each.
#include "jobs.h"

namespace bench::tools {

namespace {

constexpr size_t bytes = size_t{64} << 20;
constexpr Size fillSize{bytes / sizeof(float), 256};
constexpr size_t sumLength = 1'000'000;
constexpr Size sumSize{sumLength, 64};
// Maximum number of launches between two finishes, as in src/ours/tools/touch.mjs.
constexpr long batch = 10;

void fillAndFinish(const Rig& rig, cl_mem memory) {
  enqueueFill(rig, fillSize, memory);
  check(clFinish(rig.queue.get()), "clFinish");
}

double reused(const Rig& rig, long count) {
  const Buffer buffer = createBuffer(rig.context.get(), bytes);
  fillAndFinish(rig, buffer.get());
  const double start = now();
  for (long i = 0; i < count; ++i) fillAndFinish(rig, buffer.get());
  return (now() - start) / static_cast<double>(count);
}

double fresh(const Rig& rig, long count) {
  const double start = now();
  for (long i = 0; i < count; ++i) fillAndFinish(rig, createBuffer(rig.context.get(), bytes).get());
  return (now() - start) / static_cast<double>(count);
}

double add(const Rig& rig, long count) {
  const Buffer a = createBuffer(rig.context.get(), sumLength * sizeof(float));
  const Buffer b = createBuffer(rig.context.get(), sumLength * sizeof(float));
  const Buffer result = createBuffer(rig.context.get(), sumLength * sizeof(float));
  for (const Buffer* operand : {&a, &b}) enqueueFill(rig, sumSize, operand->get());
  const auto sum = [&] {
    cl_uint index = 0;
    for (const Buffer* argument : {&a, &b, &result}) {
      const cl_mem memory = argument->get();
      check(clSetKernelArg(rig.add.get(), index++, sizeof memory, &memory), "clSetKernelArg");
    }
    check(clEnqueueNDRangeKernel(rig.queue.get(), rig.add.get(), 1, nullptr, &sumSize.global, &sumSize.local, 0,
                                 nullptr, nullptr),
          "clEnqueueNDRangeKernel");
  };
  sum();
  check(clFinish(rig.queue.get()), "clFinish");
  const double start = now();
  for (long done = 0; done < count; done += batch) {
    for (long i = 0; i < batch; ++i) sum();
    check(clFinish(rig.queue.get()), "clFinish");
  }
  return (now() - start) / static_cast<double>(count);
}

}  // namespace

std::vector<Job> touchJobs(const Rig& rig) {
  return {{"pool-first-touch", [&](long count) { return reused(rig, count); }},
          {"fresh-touch", [&](long count) { return fresh(rig, count); }},
          {"pool-add", [&](long count) { return add(rig, count); }}};
}

}  // namespace bench::tools
