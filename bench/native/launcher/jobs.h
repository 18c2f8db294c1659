// The jobs of @cl/launcher, one factory per family. Each job creates its objects at its first run.
#pragma once

#include "../opencl.h"
#include "../protocol.h"

namespace bench::launcher {

// Objects shared by all jobs of the process.
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
  // A kernel (table, s, n); the iteration varies the last two.
  Program sweepProgram;
  Kernel sweep;
};

inline constexpr size_t workItems = 64;
inline constexpr size_t stepLength = 20;
// Maximum number of launches between two finishes. Deeper queues exceed the caches, which hides the wrappers' cost.
inline constexpr long batch = 500;

void setArguments(cl_kernel kernel, cl_mem a, cl_mem b, cl_float s, cl_int n);
void enqueue(cl_command_queue queue, cl_kernel kernel, cl_event* event = nullptr);
bool launchesAreReal(const Rig& rig);

std::vector<Job> stepJobs(const Rig& rig);
std::vector<Job> iterateJobs(const Rig& rig);
std::vector<Job> profiledJobs(const Rig& rig);
std::vector<Job> chainJobs(const Rig& rig);
std::vector<Job> heatJobs(const Rig& rig);
std::vector<Job> latticeJobs(const Rig& rig);

// Launches `count` times without a finish; needs a fresh process. Returns nanoseconds per launch or the total growth
// in KiB, by the job's name.
double boundedJob(const std::string& name, const std::string& kernels, long count);

}  // namespace bench::launcher
