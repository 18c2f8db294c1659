// Sums of all elements up to each one: first the sums of parts, then those of the elements in each part.
#include "jobs.h"

namespace bench::algorithms {

namespace {

constexpr size_t tile = 4096;

// The sums of parts outlive the kernels, which do not keep them.
Launches cumsum(Rig& rig, Buffer& parts, size_t size) {
  const Operands& operands = rig.operands(size);
  const bool streams = rig.exceedsCache(size * 2 * sizeof(float));
  const Program program = rig.program("scans", streams ? "#define STREAM\n" : "");
  // A processor's cores take turns, so that one that is late does not keep the others waiting.
  const size_t groups = rig.gpu ? (size + tile - 1) / tile : (size < 4096 ? 1 : 16);
  parts = createBuffer(rig.context.get(), groups * sizeof(float));
  const cl_mem a = operands.a.get(), out = operands.out.get(), sums = parts.get();
  const auto n = static_cast<cl_long>(size);
  const Range range = rig.gpu ? Range{{groups * 256}, {256}} : chunks(groups);
  Launches launches;
  if (groups > 1) {
    launches.emplace_back(program.get(), "sums", range, a, sums, n);
    const Range one = rig.gpu ? Range{{1024}, {1024}} : chunks(1);
    launches.emplace_back(program.get(), "places", one, sums, static_cast<cl_int>(groups));
  } else {
    constexpr cl_float zero = 0;
    check(clEnqueueWriteBuffer(rig.queue.get(), sums, CL_TRUE, 0, sizeof zero, &zero, 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
  }
  launches.emplace_back(program.get(), "scan", range, a, sums, out, n);

  for (const Launch& launch : launches) launch.enqueue(rig.queue.get());
  const std::vector<float> values = rig.read(out, size);
  double sum = 0;
  for (size_t i = 0; i < size; ++i) {
    sum += operands.hostA[i];
    expectNear(values[i], sum, 1e-5, "cumsum");
  }
  return launches;
}

}  // namespace

std::vector<Job> scanJobs(Rig& rig) {
  std::vector<Job> jobs;
  for (const Size& size : sizes)
    jobs.push_back(
        launchesJob(rig, named("cumsum", size),
                    [&rig, parts = std::make_shared<Buffer>(), n = size.elements] { return cumsum(rig, *parts, n); }));
  return jobs;
}

}  // namespace bench::algorithms
