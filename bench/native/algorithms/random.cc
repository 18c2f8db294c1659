// Random numbers: Philox4x32-10, uniform and normal.
#include <cmath>

#include "jobs.h"

namespace bench::algorithms {

namespace {

Launches numbers(Rig& rig, Buffer& out, size_t size, bool normal) {
  const std::string streams = rig.exceedsCache(size * sizeof(float)) ? "#define STREAM\n" : "";
  const Program program = rig.program("random", streams + (normal ? "#define NORMAL\n" : ""));
  out = createBuffer(rig.context.get(), size * sizeof(float));
  const cl_mem memory = out.get();
  const Range range = rig.gpu ? Range{{(size + 4095) / 4096 * 256}, {256}} : chunks(size < 4096 ? 1 : 16);
  Launches launches;
  constexpr cl_uint key = 0;
  launches.emplace_back(program.get(), "fill_random", range, memory, static_cast<cl_long>(size), key, key);

  for (const Launch& launch : launches) launch.enqueue(rig.queue.get());
  const std::vector<float> values = rig.read(memory, size);
  // Random123's published outputs for counter 0.
  constexpr cl_uint outputs[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  for (size_t i = 0; i < 4; ++i) {
    const double radius = std::sqrt(-2 * std::log((outputs[i & 2] + 0.5) / 4294967296.0));
    const double angle = outputs[(i & 2) + 1] / 4294967296.0 * 2 * M_PI;
    const double expected =
        normal ? radius * (i % 2 == 0 ? std::cos(angle) : std::sin(angle)) : outputs[i] / 4294967296.0;
    expectNear(values[i] + 10, expected + 10, 1e-5, normal ? "normal" : "uniform");
  }
  double sum = 0, squares = 0;
  for (const float value : values) {
    sum += value;
    squares += static_cast<double>(value) * value;
  }
  // Tolerances of six standard deviations of the mean and of the mean square.
  const double n = static_cast<double>(size), tolerance = 6 / std::sqrt(n);
  expectNear(sum / n + 10, normal ? 10 : 10.5, tolerance / 10, "the mean");
  expectNear(squares / n + 10, normal ? 11 : 10 + 1 / 3.0, 1.5 * tolerance / 10, "the mean of squares");
  return launches;
}

}  // namespace

std::vector<Job> randomJobs(Rig& rig) {
  std::vector<Job> jobs;
  for (const bool normal : {false, true})
    for (const Size& size : sizes)
      jobs.push_back(launchesJob(rig, named(normal ? "normal" : "uniform", size),
                                 [&rig, normal, out = std::make_shared<Buffer>(), n = size.elements] {
                                   return numbers(rig, *out, n, normal);
                                 }));
  return jobs;
}

}  // namespace bench::algorithms
