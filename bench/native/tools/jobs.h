// The jobs of @cl/tools, one factory per family.
#pragma once

#include "../opencl.h"
#include "../protocol.h"

namespace bench::tools {

// Objects shared by all jobs of the process.
struct Rig {
  explicit Rig(const std::string& kernelFolder);

  cl_device_id device;
  Context context;
  Queue queue;
  Program program;
  Kernel fill;
  Kernel add;
};

// Global and local size of one dimension.
struct Size {
  size_t global;
  size_t local;
};

void enqueueFill(const Rig& rig, Size size, cl_mem memory);
bool launchesAreReal(const Rig& rig);

std::vector<Job> poolJobs(const Rig& rig);
std::vector<Job> touchJobs(const Rig& rig);

}  // namespace bench::tools
