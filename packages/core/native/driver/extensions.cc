#include "driver/extensions.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace cl {
namespace {

cl_platform_id platformOf(const Runtime& runtime, cl_device_id device) {
  cl_platform_id platform = nullptr;
  check(runtime.clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr), "clGetDeviceInfo");
  return platform;
}

std::unique_ptr<Extensions> resolve(const Runtime& runtime, cl_platform_id platform) {
  auto extensions = std::make_unique<Extensions>();
#define CL_RESOLVE(entry, extension, result, parameters) \
  extensions->entry.function = \
      reinterpret_cast<result(CL_API_CALL*) parameters>(extensionFunction(runtime, platform, #entry));
  CL_EXTENSION_ENTRY_POINTS(CL_RESOLVE)
#undef CL_RESOLVE
#define CL_RESOLVE(member, name, parameters) \
  extensions->member.function = \
      reinterpret_cast<cl_int(CL_API_CALL*) parameters>(extensionFunction(runtime, platform, name));
  CL_COMMANDS_WITH_PROPERTIES(CL_RESOLVE)
#undef CL_RESOLVE
  return extensions;
}

}  // namespace

const Extensions& extensionsOf(const Runtime& runtime, cl_platform_id platform) {
  using Key = std::pair<const Runtime*, cl_platform_id>;
  static std::mutex mutex;
  // Leaked on purpose: records of other threads may still refer to it during exit.
  static auto* const cache = new std::map<Key, std::unique_ptr<Extensions>>;
  const std::lock_guard lock(mutex);
  std::unique_ptr<Extensions>& found = (*cache)[{&runtime, platform}];
  if (!found) found = resolve(runtime, platform);
  return *found;
}

const Extensions& extensionsOf(const Runtime& runtime, cl_device_id device) {
  return extensionsOf(runtime, platformOf(runtime, device));
}

const Extensions& extensionsOf(const Runtime& runtime, cl_context context) {
  size_t bytes = 0;
  check(runtime.clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, nullptr, &bytes), "clGetContextInfo");
  std::vector<cl_device_id> devices(bytes / sizeof(cl_device_id));
  check(runtime.clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes, devices.data(), nullptr), "clGetContextInfo");
  if (devices.empty()) invalid("the context has no device");
  return extensionsOf(runtime, devices[0]);
}

const Extensions& extensionsOf(const Runtime& runtime, cl_command_queue queue) {
  cl_device_id device = nullptr;
  check(runtime.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr),
        "clGetCommandQueueInfo");
  return extensionsOf(runtime, device);
}

}  // namespace cl
