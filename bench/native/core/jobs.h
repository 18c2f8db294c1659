// The jobs of @cl/core, one factory per family; each sets up its own objects at the first run.
#pragma once

#include "../opencl.h"
#include "../protocol.h"

namespace bench::core {

// What all jobs of one child share.
struct Rig {
  explicit Rig(std::string kernelFolder);

  std::string kernels;
  cl_device_id device;
  Context context;
  Queue queue;
  Program program;
  Buffer a;
  Buffer b;
};

inline constexpr size_t workItems = 64;
// Finish at least so often: a deeper queue leaves the caches, and then every wrapper costs the same.
inline constexpr long batch = 500;

void setArguments(cl_kernel kernel, cl_mem a, cl_mem b);
inline void setArguments(cl_kernel kernel, const Rig& rig) { setArguments(kernel, rig.a.get(), rig.b.get()); }
void enqueue(cl_command_queue queue, cl_kernel kernel, cl_event* event = nullptr);

std::vector<Job> launchJobs(Rig& rig);
std::vector<Job> transferJobs(Rig& rig);
std::vector<Job> eventJobs(Rig& rig);

bool launchesAreReal(Rig& rig);

// Jobs that need a process of their own; the clock starts with main(). Nanoseconds.
double startJob(const std::string& name, const std::string& kernels, const std::string& cache, double start);

}  // namespace bench::core
