// What the jobs on arrays share: those of @cl/array and of its algorithms. Each job is there for each size and is named
// after both: `add-1e6`.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "opencl.h"
#include "protocol.h"

namespace bench::array {

// Finish at least so often, as src/ours/array/rig.mjs does.
constexpr long batch = 10;

// Three arrays of the same size between 0 and 1, and one for results.
struct Operands {
  Operands(cl_context context, size_t size);

  size_t size;
  std::vector<float> hostA, hostB, hostC;
  Buffer a, b, c, out;
};

// What all jobs of the child share.
class Rig {
 public:
  explicit Rig(const std::string& kernelFolder);

  // The family's kernels for this kind of device, after `defines`.
  Program program(const std::string& family, const std::string& defines = "") const;
  // Made at its first use, and kept.
  Operands& operands(size_t size);
  std::vector<float> read(cl_mem memory, size_t size) const;
  // True if so many bytes, which a kernel reads and writes, do not stay in the device's cache.
  bool exceedsCache(size_t bytes) const;

  std::string folder;
  cl_device_id device;
  bool gpu;
  size_t units;
  Context context;
  Queue queue;

 private:
  std::map<size_t, std::unique_ptr<Operands>> all_;
};

// Work-items, in groups.
struct Range {
  std::vector<size_t> global;
  std::vector<size_t> local;
};

// A kernel with its arguments, ready to be enqueued.
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

// So many groups of one work-item: processors have their loops inside the kernels.
Range chunks(size_t groups);
// At least `items` work-items of one dimension, in groups of `local`.
Range items(size_t items, size_t local = 256);

// A job whose launches are made by `prepare` at its first use, which also throws if their result is wrong.
Job launchesJob(Rig& rig, std::string_view name, std::function<Launches()> prepare);
// Throws, naming the job, if the values are further apart than rounding explains.
void expectNear(double value, double expected, double tolerance, const std::string& job);

struct Size {
  const char* name;
  size_t elements;
};
constexpr Size sizes[] = {{"1e3", 1'000},     {"1e4", 10'000},     {"1e5", 100'000},
                          {"1e6", 1'000'000}, {"1e7", 10'000'000}, {"1e8", 100'000'000}};

// A job's name with its size, which lives as long as the program.
std::string_view named(const char* job, const Size& size);

}  // namespace bench::array
