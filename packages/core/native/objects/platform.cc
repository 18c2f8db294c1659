#include "objects/platform.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "driver/large_stack.h"
#include "driver/scoped_variables.h"
#include "exports.h"
#include "objects/info.h"

namespace cl {
namespace {

// The ICD loader's status for "no driver is installed", which only an extension header declares.
constexpr cl_int kPlatformNotFound = -1001;

/// Serializes discovery, in which drivers initialize themselves. PoCL's initialization is not thread-safe: it then
/// reports no device or crashes. PoCL also starts the threads that run kernels here, so they get large stacks.
struct Discovery {
  std::lock_guard<std::mutex> lock{mutex()};
  LargeWorkerStacks stacks;

  static std::mutex& mutex() {
    static std::mutex mutex;
    return mutex;
  }
};

/// Has the devices of these platforms found while the runtime's variables are set, once per runtime. Needs Discovery.
void initialize(const Runtime& runtime, const std::vector<cl_platform_id>& platforms) {
  static bool initialized[kMaxRuntimes] = {};
  if (runtime.variables.empty() || std::exchange(initialized[runtime.index], true)) return;
  const ScopedVariables variables(runtime.variables);
  cl_uint count = 0;
  // Failures are reported when the devices are listed.
  for (const cl_platform_id id : platforms) runtime.clGetDeviceIDs.quietly(id, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
}

std::vector<cl_platform_id> platformsOf(const Runtime& runtime) {
  cl_uint count = 0;
  const cl_int status = runtime.clGetPlatformIDs(0, nullptr, &count);
  if (status == kPlatformNotFound) return {};
  check(status, "clGetPlatformIDs");
  std::vector<cl_platform_id> ids(count);
  if (count > 0) check(runtime.clGetPlatformIDs(count, ids.data(), nullptr), "clGetPlatformIDs");
  return ids;
}

/// platforms(): lists a platform once, although the system's loader may list the driver of an added runtime.
Napi::Value platforms(Call& call) {
  call.environment->requireInitialized();
  const Discovery discovery;
  std::vector<Handle> handles;
  for (const Runtime* runtime : runtimes()) {
    const auto ids = platformsOf(*runtime);
    initialize(*runtime, ids);
    for (const cl_platform_id id : ids) {
      const Handle handle = call.environment->intern(Kind::Platform, id, *runtime);
      if (std::find(handles.begin(), handles.end(), handle) == handles.end()) handles.push_back(handle);
    }
  }
  return call.result(handles);
}

/// devices(platform, type)
Napi::Value devices(Call& call) {
  const Slot platform = call.slot(0, Kind::Platform);
  const auto type = static_cast<cl_device_type>(call.flags(1));
  const Runtime& runtime = *platform.runtime;
  const Discovery discovery;
  cl_uint count = 0;
  const cl_int status = runtime.clGetDeviceIDs(platform.as<cl_platform_id>(), type, 0, nullptr, &count);
  // NVIDIA returns CL_INVALID_DEVICE_TYPE for types that it never supports.
  if (status == CL_DEVICE_NOT_FOUND || status == CL_INVALID_DEVICE_TYPE)
    count = 0;
  else
    check(status, "clGetDeviceIDs");
  std::vector<cl_device_id> ids(count);
  if (count > 0)
    check(runtime.clGetDeviceIDs(platform.as<cl_platform_id>(), type, count, ids.data(), nullptr), "clGetDeviceIDs");
  return call.result(internDevices(*call.environment, runtime, ids));
}

/// devicePlatform(device)
Napi::Value devicePlatform(Call& call) {
  const Slot device = call.slot(0, Kind::Device);
  const auto& entry = device.runtime->clGetDeviceInfo;
  const auto platform = queryValue<cl_platform_id>(
      [&](size_t n, void* p, size_t* need) { return entry(device.as<cl_device_id>(), CL_DEVICE_PLATFORM, n, p, need); },
      entry.name);
  return call.result(call.environment->intern(Kind::Platform, platform, *device.runtime));
}

/// subDevices(device, properties: BigUint64Array without the terminating 0) -> handles, each of which must be released
Napi::Value subDevices(Call& call) {
  const Slot device = call.slot(0, Kind::Device);
  std::vector<cl_device_partition_property> properties;
  for (const uint64_t value : call.longs(1)) properties.push_back(static_cast<cl_device_partition_property>(value));
  // One 0 terminates a valid list. Drivers read past the end of an invalid one, which more zeros stop.
  properties.insert(properties.end(), 4, 0);
  const auto& entry = device.runtime->clCreateSubDevices;
  cl_uint count = 0;
  check(entry(device.as<cl_device_id>(), properties.data(), 0, nullptr, &count), entry.name);
  std::vector<cl_device_id> ids(count);
  check(entry(device.as<cl_device_id>(), properties.data(), count, ids.data(), nullptr), entry.name);
  std::vector<Handle> handles;
  for (const cl_device_id id : ids)
    handles.push_back(call.environment->handles.add(Kind::Device, id, *device.runtime, nullptr));
  return call.result(handles);
}

/// deviceTimers(device) -> device and host time in nanoseconds, as the bytes of a BigUint64Array
Napi::Value deviceTimers(Call& call) {
  const Slot& device = call.slot(0, Kind::Device);
  cl_ulong times[2] = {0, 0};
  check(device.runtime->clGetDeviceAndHostTimer(device.as<cl_device_id>(), &times[0], &times[1]),
        "clGetDeviceAndHostTimer");
  return call.resultBytes(times, sizeof times);
}

/// hostTimer(device) -> host time in nanoseconds, as the bytes of a BigUint64Array
Napi::Value hostTimer(Call& call) {
  const Slot& device = call.slot(0, Kind::Device);
  cl_ulong time = 0;
  check(device.runtime->clGetHostTimer(device.as<cl_device_id>(), &time), "clGetHostTimer");
  return call.resultBytes(&time, sizeof time);
}

Napi::Value unloadCompiler(Call& call) {
  const Slot& platform = call.slot(0, Kind::Platform);
  check(platform.runtime->clUnloadPlatformCompiler(platform.as<cl_platform_id>()), "clUnloadPlatformCompiler");
  return {};
}

/// addRuntime(path, name, variables: names and values)
Napi::Value addRuntimeExport(Call& call) {
  call.environment->requireInitialized();
  Runtime runtime;
  runtime.path = call.string(0);
  runtime.name = call.string(1);
  const std::vector<std::string> variables = call.strings(2);
  for (size_t i = 0; i + 1 < variables.size(); i += 2) runtime.variables.emplace_back(variables[i], variables[i + 1]);
  addRuntime(std::move(runtime));
  return {};
}

/// runtimePaths() -> the paths of all runtimes
Napi::Value runtimePaths(Call& call) {
  call.environment->requireInitialized();
  std::vector<std::string> paths;
  for (const Runtime* runtime : runtimes()) paths.push_back(runtime->path);
  return call.result(paths);
}

/// platformRuntime(platform) -> name and path
Napi::Value platformRuntime(Call& call) {
  const Runtime& runtime = *call.slot(0, Kind::Platform).runtime;
  return call.result(std::vector{runtime.name, runtime.path});
}

}  // namespace

std::vector<Handle> internDevices(Environment& environment, const Runtime& runtime,
                                  const std::vector<cl_device_id>& devices) {
  std::vector<Handle> handles;
  for (const cl_device_id id : devices) handles.push_back(environment.intern(Kind::Device, id, runtime));
  return handles;
}

void addPlatformExports(Exports& exports) {
  exports.add({{"platforms", function<platforms>},
               {"devices", function<devices>},
               {"devicePlatform", function<devicePlatform>},
               {"subDevices", function<subDevices>},
               {"deviceTimers", function<deviceTimers>},
               {"hostTimer", function<hostTimer>},
               {"unloadCompiler", function<unloadCompiler>},
               {"addRuntime", function<addRuntimeExport>},
               {"runtimePaths", function<runtimePaths>},
               {"platformRuntime", function<platformRuntime>}});
}

}  // namespace cl
