// Fixtures of the array jobs: those of @cl/array and of its algorithms. Each job exists once per size, which is part of
// its name: `add-1e6`.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "opencl.h"
#include "protocol.h"

namespace bench::array {

// Maximum number of launches between two finishes, as in src/ours/array/rig.mjs.
constexpr long batch = 10;

// Three arrays of the same size with values in [0, 1), and one for results.
struct Operands {
  Operands(cl_context context, size_t size);

  size_t size;
  std::vector<float> hostA, hostB, hostC;
  Buffer a, b, c, out;
};

// Device, context and queue shared by all jobs of the process.
class Rig {
 public:
  explicit Rig(const std::string& kernelFolder);

  // Builds the family's kernels for this kind of device, with `defines` prepended.
  Program program(const std::string& family, const std::string& defines = "") const;
  // Returns the operands of this size, created at the first use and cached.
  Operands& operands(size_t size);
  std::vector<float> read(cl_mem memory, size_t size) const;
  // Returns whether a working set of this size exceeds the device's cache.
  bool exceedsCache(size_t bytes) const;

  std::string folder;
  cl_device_id device;
  bool gpu;
  size_t units;
  Context context;
  Queue queue;

 private:
  std::map<size_t, std::unique_ptr<Operands>> operands_;
};

// Global and local sizes.
struct Range {
  std::vector<size_t> global;
  std::vector<size_t> local;
};

// A kernel with its arguments set.
class Launch {
 public:
  template <typename... Arguments>
  Launch(cl_program program, const std::string& name, Range range, const Arguments&... arguments)
      : kernel_(createKernel(program, name)), range_(std::move(range)) {
    cl_uint index = 0;
    (set(index++, sizeof arguments, &arguments), ...);
  }

  void enqueue(cl_command_queue queue) const;

 private:
  void set(cl_uint index, size_t size, const void* value) const;

  Kernel kernel_;
  Range range_;
};

using Launches = std::vector<Launch>;

// Returns `groups` groups of one work-item each: on CPUs the kernels contain the loops.
Range chunks(size_t groups);
// Returns a 1-D range of at least `count` work-items, in groups of `local`.
Range items(size_t count, size_t local = 256);

// Returns a job that calls `prepare` at its first run for its launches. `prepare` throws if their result is wrong.
Job launchesJob(Rig& rig, const std::string& name, std::function<Launches()> prepare);
// Throws, naming the job, if the values differ by more than the tolerance.
void expectNear(double value, double expected, double tolerance, const std::string& job);

struct Size {
  const char* name;
  size_t elements;
};
constexpr Size sizes[] = {{"1e3", 1'000},     {"1e4", 10'000},     {"1e5", 100'000},
                          {"1e6", 1'000'000}, {"1e7", 10'000'000}, {"1e8", 100'000'000}};

// Returns the job's name with its size. The name is never freed.
std::string named(const char* job, const Size& size);

}  // namespace bench::array
