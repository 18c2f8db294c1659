// Radix sorts of 32-bit keys, with and without their indices: passes over 8-bit digits between two arrays.
#include <algorithm>
#include <numeric>

#include "jobs.h"

namespace bench::algorithms {

namespace {

constexpr size_t block = 4096;

// The same keys as src/ours/algorithms/sorts.mjs.
std::vector<cl_uint> randomKeys(size_t size) {
  std::vector<cl_uint> keys(size);
  for (size_t i = 0; i < size; ++i) {
    cl_uint key = static_cast<cl_uint>(i) * 2654435761U + 1;
    key = (key ^ key >> 16) * 2246822519U;
    key = (key ^ key >> 13) * 3266489917U;
    keys[i] = key ^ key >> 16;
  }
  return keys;
}

struct Memory {
  Buffer keys, out, spare, indices, spareIndices, result, counts, totals;
};

Launches sort(Rig& rig, Memory& memory, size_t size, bool withIndices) {
  const std::vector<cl_uint> keys = randomKeys(size);
  const Program program = rig.program("sort", withIndices ? "#define PLACES\n" : "");
  const size_t groups = rig.gpu ? (size + block - 1) / block : (size < 16'384 ? 1 : 16);
  const auto make = [&](size_t bytes) { return createBuffer(rig.context.get(), bytes); };
  memory.keys = createBuffer(rig.context.get(), size * sizeof(cl_uint), keys.data());
  memory.out = make(size * sizeof(cl_uint));
  memory.spare = make(size * sizeof(cl_uint));
  memory.counts = make(groups * 256 * sizeof(cl_uint));
  memory.totals = make(256 * sizeof(cl_uint));
  if (withIndices) {
    memory.indices = make(size * sizeof(cl_uint));
    memory.spareIndices = make(size * sizeof(cl_uint));
    memory.result = make(size * sizeof(cl_long));
  }
  const Range range = rig.gpu ? Range{{groups * 256}, {256}} : chunks(groups);
  const auto n = static_cast<cl_uint>(size);
  const cl_mem counts = memory.counts.get(), totals = memory.totals.get(), result = memory.result.get();
  cl_mem from = memory.keys.get(), to = memory.spare.get(), other = memory.out.get();
  cl_mem indices = memory.indices.get(), toIndices = memory.spareIndices.get();
  Launches launches;
  for (cl_uint shift = 0; shift < 32; shift += 8) {
    launches.emplace_back(program.get(), "count", range, from, counts, n, shift);
    if (rig.gpu)
      launches.emplace_back(program.get(), "scan", Range{{256 * 256}, {256}}, counts, totals,
                            static_cast<cl_uint>(groups));
    if (rig.gpu && withIndices)
      launches.emplace_back(program.get(), "move", range, from, to, indices, toIndices, result, counts, totals, n,
                            shift);
    else if (rig.gpu)
      launches.emplace_back(program.get(), "move", range, from, to, counts, totals, n, shift);
    else if (withIndices)
      launches.emplace_back(program.get(), "move", range, from, to, indices, toIndices, result, counts, n, shift);
    else
      launches.emplace_back(program.get(), "move", range, from, to, counts, n, shift);
    from = to;
    std::swap(to, other);
    std::swap(indices, toIndices);
  }

  for (const Launch& launch : launches) launch.enqueue(rig.queue.get());
  std::vector<cl_long> order(size);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](cl_long a, cl_long b) { return keys[a] < keys[b]; });
  std::vector<cl_uint> sorted(size);
  std::vector<cl_long> found(size);
  const auto read = [&](cl_mem from, auto& values) {
    check(clEnqueueReadBuffer(rig.queue.get(), from, CL_TRUE, 0, size * sizeof values[0], values.data(), 0, nullptr,
                              nullptr),
          "clEnqueueReadBuffer");
  };
  if (withIndices)
    read(result, found);
  else
    read(memory.out.get(), sorted);
  for (size_t i = 0; i < size; ++i) {
    if (withIndices)
      expectNear(static_cast<double>(found[i]), static_cast<double>(order[i]), 0, "argsort");
    else
      expectNear(sorted[i], keys[order[i]], 0, "sort-u32");
  }
  return launches;
}

}  // namespace

std::vector<Job> sortJobs(Rig& rig) {
  std::vector<Job> jobs;
  for (const bool withIndices : {false, true})
    for (const Size& size : sizes)
      jobs.push_back(launchesJob(rig, named(withIndices ? "argsort" : "sort-u32", size),
                                 [&rig, withIndices, memory = std::make_shared<Memory>(), n = size.elements] {
                                   return sort(rig, *memory, n, withIndices);
                                 }));
  return jobs;
}

}  // namespace bench::algorithms
