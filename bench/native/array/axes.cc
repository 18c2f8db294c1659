// Sums of a matrix of 1000 rows over each of its axes.
#include <algorithm>

#include "jobs.h"

namespace bench::array {

namespace {

constexpr size_t rows = 1000;
constexpr size_t maxSlices = 32;

// Sums over the rows. On GPUs with few columns, groups first sum slices of the rows, and a second launch sums those.
Launches sumRows(const Rig& rig, const Operands& operands, size_t columns) {
  const Program program = rig.program("axes");
  const cl_mem a = operands.a.get(), out = operands.out.get();
  const auto height = static_cast<cl_int>(rows), width = static_cast<cl_int>(columns);
  Launches launches;
  if (!rig.gpu) {
    launches.emplace_back(program.get(), "sum_rows", chunks((columns + 255) / 256), a, out, height, width);
    return launches;
  }
  const bool wide = columns % 4 == 0;
  const std::string kernel = wide ? "sum_rows4" : "sum_rows";
  const auto elements = static_cast<cl_int>(wide ? columns / 4 : columns);
  const size_t across = (static_cast<size_t>(elements) + 31) / 32;
  const size_t slices = std::clamp<size_t>(rig.units * 8 / across, 1, maxSlices);
  // Outlives the launches, whose kernels do not retain it.
  static std::vector<Buffer> partialBuffers;
  const cl_mem partials =
      slices == 1
          ? out
          : partialBuffers.emplace_back(createBuffer(rig.context.get(), slices * columns * sizeof(float))).get();
  launches.emplace_back(program.get(), kernel, Range{{across * 32, slices * 8}, {32, 8}}, a, partials, height,
                        elements);
  if (slices > 1)
    launches.emplace_back(program.get(), kernel, Range{{across * 32, 8}, {32, 8}}, partials, out,
                          static_cast<cl_int>(slices), elements);
  return launches;
}

Launches sumColumns(const Rig& rig, const Operands& operands, size_t columns) {
  const Program program = rig.program("axes");
  const cl_mem a = operands.a.get(), out = operands.out.get();
  const auto height = static_cast<cl_int>(rows), width = static_cast<cl_int>(columns);
  Launches launches;
  if (!rig.gpu)
    launches.emplace_back(program.get(), "sum_columns", chunks(columns < 4 ? 1 : 16), a, out, height, width);
  else if (columns % 4 == 0)
    launches.emplace_back(program.get(), "sum_columns4", Range{{rows * 256}, {256}}, a, out, height, width / 4);
  else
    launches.emplace_back(program.get(), "sum_columns", Range{{rows * 256}, {256}}, a, out, height, width);
  return launches;
}

Launches verified(Rig& rig, Launches launches, const Operands& operands, int axis) {
  const size_t columns = operands.size / rows;
  std::vector<double> expected(axis == 0 ? columns : rows);
  for (size_t i = 0; i < operands.size; ++i) expected[axis == 0 ? i % columns : i / columns] += operands.hostA[i];
  for (const Launch& launch : launches) launch.enqueue(rig.queue.get());
  const std::vector<float> values = rig.read(operands.out.get(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) expectNear(values[i], expected[i], 1e-4, "a sum over an axis");
  return launches;
}

}  // namespace

std::vector<Job> axisJobs(Rig& rig) {
  std::vector<Job> jobs;
  for (const Size& size : sizes) {
    jobs.push_back(launchesJob(rig, named("sum-axis0", size), [&rig, n = size.elements] {
      return verified(rig, sumRows(rig, rig.operands(n), n / rows), rig.operands(n), 0);
    }));
    jobs.push_back(launchesJob(rig, named("sum-axis1", size), [&rig, n = size.elements] {
      return verified(rig, sumColumns(rig, rig.operands(n), n / rows), rig.operands(n), 1);
    }));
  }
  return jobs;
}

}  // namespace bench::array
