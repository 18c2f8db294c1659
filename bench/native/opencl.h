// OpenCL helpers for the C++ jobs: device choice, checked calls, programs, owning handles.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace bench {

void check(cl_int status, const char* routine);

template <typename Handle, cl_int (*release)(Handle)>
struct Releaser {
  using pointer = Handle;
  void operator()(Handle handle) const { release(handle); }
};
template <typename Handle, cl_int (*release)(Handle)>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Releaser<Handle, release>>;

using Context = Owned<cl_context, clReleaseContext>;
using Queue = Owned<cl_command_queue, clReleaseCommandQueue>;
using Program = Owned<cl_program, clReleaseProgram>;
using Kernel = Owned<cl_kernel, clReleaseKernel>;
using Buffer = Owned<cl_mem, clReleaseMemObject>;
using Event = Owned<cl_event, clReleaseEvent>;

// Chooses like Context.create(): the device that CL_DEVICE names, else the first GPU, else the first device.
cl_device_id chooseDevice();
std::string deviceName(cl_device_id device);

Context createContext(cl_device_id device);
Queue createQueue(cl_context context, cl_device_id device, cl_command_queue_properties properties = 0);
Buffer createBuffer(cl_context context, size_t bytes, const void* data = nullptr);
Kernel createKernel(cl_program program, const std::string& name);

Program buildSource(cl_context context, cl_device_id device, const std::string& source,
                    const std::string& options = "");
Program buildBinary(cl_context context, cl_device_id device, const std::vector<unsigned char>& binary);
std::vector<unsigned char> programBinary(cl_program program);

// Returns `k00` to `k19`, the names in kernels/twenty.cl.
std::string kernelName(int index);

std::string readText(const std::string& path);
std::vector<unsigned char> readBytes(const std::string& path);
void writeBytes(const std::string& path, const std::vector<unsigned char>& bytes);

}  // namespace bench
