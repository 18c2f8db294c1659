// The jobs of @cl/launcher, one factory per family; each sets up its own objects at the first run.
#pragma once

#include "../opencl.h"
#include "../protocol.h"

namespace bench::launcher {

// What all jobs of one child share.
struct Rig {
  explicit Rig(const std::string& kernelFolder);

  std::string folder;
  cl_device_id device;
  Context context;
  Queue queue;
  // The kernels of a step, with their arguments set.
  Program program;
  Buffer a;
  Buffer b;
  std::vector<Kernel> kernels;
  // table, s, n: the last two are what an iteration goes through.
  Program sweepProgram;
  Kernel sweep;
};

inline constexpr size_t workItems = 64;
inline constexpr size_t stepLength = 20;
// Finish at least so often: a deeper queue leaves the caches, and then every wrapper costs the same.
inline constexpr long batch = 500;

void setArguments(cl_kernel kernel, cl_mem a, cl_mem b, cl_float s, cl_int n);
void enqueue(cl_command_queue queue, cl_kernel kernel, cl_event* event = nullptr);
bool launchesAreReal(const Rig& rig);

std::vector<Job> stepJobs(const Rig& rig);
std::vector<Job> iterateJobs(const Rig& rig);
std::vector<Job> profiledJobs(const Rig& rig);
std::vector<Job> chainJobs(const Rig& rig);

// A million launches without a finish; needs a process of its own. Nanoseconds each, or KiB of growth in all.
double boundedJob(const std::string& name, const std::string& kernels, long count);

}  // namespace bench::launcher
