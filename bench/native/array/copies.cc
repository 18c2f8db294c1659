// Copies of views: a transposed matrix that is nearly a square, and every second element.
#include <stdexcept>
#include <string>

#include "jobs.h"

namespace bench::array {

namespace {

struct Matrix {
  size_t rows;
  size_t columns;
};

Matrix matrixOf(size_t elements) {
  // The same as in src/ours/array/movement.mjs and python/array_sizes.py.
  switch (elements) {
    case 1'000:
      return {25, 40};
    case 10'000:
      return {100, 100};
    case 100'000:
      return {250, 400};
    case 1'000'000:
      return {1000, 1000};
    case 10'000'000:
      return {2500, 4000};
    case 100'000'000:
      return {10'000, 10'000};
    default:
      throw std::invalid_argument("no matrix has " + std::to_string(elements) + " elements");
  }
}

Launches transposed(Rig& rig, size_t size) {
  const Operands& operands = rig.operands(size);
  const auto [rows, columns] = matrixOf(size);
  const Program program = rig.program("transpose");
  const cl_mem a = operands.a.get(), out = operands.out.get();
  const size_t tile = rig.gpu ? 32 : 64;
  const size_t down = (rows + tile - 1) / tile, across = (columns + tile - 1) / tile;
  const Range range = rig.gpu ? Range{{across * 32, down * 8}, {32, 8}} : Range{{down, across}, {1, 1}};
  Launches launches;
  launches.emplace_back(program.get(), "transpose", range, a, out, static_cast<cl_int>(rows),
                        static_cast<cl_int>(columns));
  launches.front().enqueue(rig.queue.get());
  const std::vector<float> values = rig.read(out, size);
  for (size_t i = 0; i < size; ++i)
    expectNear(values[i], operands.hostA[i % rows * columns + i / rows], 0, "transpose");
  return launches;
}

Launches everySecond(Rig& rig, size_t size) {
  const Operands& operands = rig.operands(size);
  const size_t half = size / 2;
  const Program program =
      rig.program("elementwise", rig.exceedsCache(size * sizeof(float) * 3 / 2) ? "#define STREAM\n" : "");
  const cl_mem a = operands.a.get(), out = operands.out.get();
  Launches launches;
  launches.emplace_back(program.get(), "every_second", rig.gpu ? items((half + 3) / 4) : chunks(half < 4096 ? 1 : 16),
                        a, out, static_cast<cl_long>(half));
  launches.front().enqueue(rig.queue.get());
  const std::vector<float> values = rig.read(out, half);
  for (size_t i = 0; i < half; ++i) expectNear(values[i], operands.hostA[2 * i], 0, "strided-copy");
  return launches;
}

}  // namespace

std::vector<Job> copyJobs(Rig& rig) {
  std::vector<Job> jobs;
  for (const Size& size : sizes) {
    jobs.push_back(
        launchesJob(rig, named("transpose", size), [&rig, n = size.elements] { return transposed(rig, n); }));
    jobs.push_back(
        launchesJob(rig, named("strided-copy", size), [&rig, n = size.elements] { return everySecond(rig, n); }));
  }
  return jobs;
}

}  // namespace bench::array
