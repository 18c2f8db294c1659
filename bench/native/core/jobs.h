// The jobs of @cl/core, one factory per family. Each job creates its objects at its first run.
#pragma once

#include "../opencl.h"
#include "../protocol.h"

namespace bench::core {

// Objects shared by all jobs of the process.
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
// Maximum number of launches between two finishes. Deeper queues exceed the caches, which hides the wrappers' cost.
inline constexpr long batch = 500;

void setArguments(cl_kernel kernel, cl_mem a, cl_mem b);
inline void setArguments(cl_kernel kernel, const Rig& rig) { setArguments(kernel, rig.a.get(), rig.b.get()); }
void enqueue(cl_command_queue queue, cl_kernel kernel, cl_event* event = nullptr);

std::vector<Job> launchJobs(Rig& rig);
std::vector<Job> transferJobs(Rig& rig);
std::vector<Job> eventJobs(Rig& rig);

bool launchesAreReal(Rig& rig);

// Runs a job that needs a fresh process and returns nanoseconds. `start` is the time at the start of main().
double startJob(const std::string& name, const std::string& kernels, const std::string& cache, double start);

}  // namespace bench::core
