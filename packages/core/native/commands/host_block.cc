#include "commands/host_block.h"

namespace cl {

HostBlock::HostBlock(const Runtime& runtime, cl_context context, cl_device_id device, size_t bytes)
    : runtime_(runtime) {
  cl_int status = CL_SUCCESS;
  queue_ = runtime.clCreateCommandQueue(context, device, 0, &status);
  check(status, "clCreateCommandQueue");
  const char* routine = "clCreateBuffer";
  memory_ = runtime.clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &status);
  if (status == CL_SUCCESS) {
    routine = "clEnqueueMapBuffer";
    data_ = static_cast<uint8_t*>(runtime.clEnqueueMapBuffer(queue_, memory_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                                             bytes, 0, nullptr, nullptr, &status));
  }
  if (status == CL_SUCCESS) return;
  if (memory_ != nullptr) runtime.clReleaseMemObject.quietly(memory_);
  runtime.clReleaseCommandQueue.quietly(queue_);
  check(status, routine);
}

HostBlock::~HostBlock() {
  runtime_.clEnqueueUnmapMemObject.quietly(queue_, memory_, data_, 0, nullptr, nullptr);
  runtime_.clReleaseMemObject.quietly(memory_);
  runtime_.clReleaseCommandQueue.quietly(queue_);
}

}  // namespace cl
