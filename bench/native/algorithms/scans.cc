// Cumulative sums: a launch for the sum of each tile, one that scans these sums, one that scans within the tiles.
#include "jobs.h"

namespace bench::algorithms {

namespace {

constexpr size_t tile = 4096;

// `tileSums` must outlive the launches: a kernel does not retain its arguments.
Launches cumsum(Rig& rig, Buffer& tileSums, size_t size) {
  const Operands& operands = rig.operands(size);
  const bool streams = rig.exceedsCache(size * 2 * sizeof(float));
  const Program program = rig.program("scans", streams ? "#define STREAM\n" : "");
  // On CPUs each core takes several chunks, so that a slow one does not delay the others.
  const size_t groups = rig.gpu ? (size + tile - 1) / tile : (size < 4096 ? 1 : 16);
  tileSums = createBuffer(rig.context.get(), groups * sizeof(float));
  const cl_mem a = operands.a.get(), out = operands.out.get(), sums = tileSums.get();
  const auto n = static_cast<cl_long>(size);
  const Range range = rig.gpu ? Range{{groups * 256}, {256}} : chunks(groups);
  Launches launches;
  if (groups > 1) {
    launches.emplace_back(program.get(), "sums", range, a, sums, n);
    const Range oneGroup = rig.gpu ? Range{{1024}, {1024}} : chunks(1);
    launches.emplace_back(program.get(), "places", oneGroup, sums, static_cast<cl_int>(groups));
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
    jobs.push_back(launchesJob(
        rig, named("cumsum", size),
        [&rig, tileSums = std::make_shared<Buffer>(), n = size.elements] { return cumsum(rig, *tileSums, n); }));
  return jobs;
}

}  // namespace bench::algorithms
