#include "driver/driver.h"

#include <cstdlib>
#include <cstring>
#include <vector>

namespace cl {
namespace {

bool isOf(const char* platformName, const Runtime& runtime, cl_device_id device) {
  const cl_platform_id platform = platformOf(runtime, device);
  if (platform == nullptr) return false;
  char name[256] = {};
  runtime.clGetPlatformInfo.quietly(platform, CL_PLATFORM_NAME, sizeof name - 1, name, nullptr);
  return std::strcmp(name, platformName) == 0;
}

cl_device_id deviceOf(const Runtime& runtime, cl_command_queue queue) {
  cl_device_id device = nullptr;
  runtime.clGetCommandQueueInfo.quietly(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
  return device;
}

}  // namespace

cl_platform_id platformOf(const Runtime& runtime, cl_device_id device) {
  cl_platform_id platform = nullptr;
  if (device != nullptr)
    runtime.clGetDeviceInfo.quietly(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
  return platform;
}

bool isPocl(const Runtime& runtime, cl_device_id device) {
  return isOf("Portable Computing Language", runtime, device);
}

bool isPocl(const Runtime& runtime, cl_command_queue queue) { return isPocl(runtime, deviceOf(runtime, queue)); }

bool isPoclBefore(const Runtime& runtime, cl_device_id device, int major) {
  if (!isPocl(runtime, device)) return false;
  // Such as "OpenCL 3.0 PoCL 7.1 Linux, …".
  char version[256] = {};
  runtime.clGetPlatformInfo.quietly(platformOf(runtime, device), CL_PLATFORM_VERSION, sizeof version - 1, version,
                                    nullptr);
  const char* number = std::strstr(version, "PoCL ");
  return number == nullptr || std::atoi(number + 5) < major;
}

bool isPoclBefore(const Runtime& runtime, cl_command_queue queue, int major) {
  return isPoclBefore(runtime, deviceOf(runtime, queue), major);
}

bool isNvidia(const Runtime& runtime, cl_command_queue queue) {
  return isOf("NVIDIA CUDA", runtime, deviceOf(runtime, queue));
}

bool isNvidia(const Runtime& runtime, cl_context context) {
  size_t bytes = 0;
  runtime.clGetContextInfo.quietly(context, CL_CONTEXT_DEVICES, 0, nullptr, &bytes);
  std::vector<cl_device_id> devices(bytes / sizeof(cl_device_id));
  if (devices.empty()) return false;
  runtime.clGetContextInfo.quietly(context, CL_CONTEXT_DEVICES, bytes, devices.data(), nullptr);
  return isOf("NVIDIA CUDA", runtime, devices.front());
}

}  // namespace cl
