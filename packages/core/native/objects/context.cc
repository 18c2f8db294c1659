// Contexts and the messages that drivers send about them.
#include "exports.h"
#include "objects/info.h"
#include "objects/platform.h"

namespace cl {
namespace {

/// The receiver of a context's messages. Callbacks cannot be unregistered, so it is leaked; see makeRecord().
struct ContextRecord final : Record {
  std::shared_ptr<Channel> channel;
  double id = 0;
};

void CL_CALLBACK onContextError(const char* message, const void*, size_t, void* data) {
  const auto* record = static_cast<ContextRecord*>(data);
  record->channel->post({record->id, 0, message == nullptr ? "" : message});
}

/// Returns the platform in a property list, or null. Loaders call through it without a check, so a wrong pointer would
/// end the process.
const Slot* platformIn(const Call& call, const std::vector<cl_context_properties>& properties, size_t i) {
  const Slot* platform = nullptr;
  for (size_t k = 0; k + 1 < properties.size(); k += 2) {
    if (properties[k] != CL_CONTEXT_PLATFORM) continue;
    const auto known = call.environment->interned.find(reinterpret_cast<void*>(properties[k + 1]));
    platform = known == call.environment->interned.end()
                   ? nullptr
                   : call.environment->handles.find(known->second, Kind::Platform);
    if (platform == nullptr)
      throw Failure{"NOT_AN_OBJECT", {}, CL_SUCCESS, kindName(Kind::Platform), static_cast<int>(i)};
  }
  return platform;
}

/// Returns the receiver for messages under the completion id at position i, or null without an id. It is leaked on
/// purpose: a driver may report an error until the last object of the context is gone, which is not observable before
/// OpenCL 3.0.
std::unique_ptr<ContextRecord> makeRecord(const Call& call, size_t i) {
  if (!call.has(i)) return nullptr;
  auto record = std::make_unique<ContextRecord>();
  record->channel = call.environment->channel;
  record->id = call.number(i);
  return record;
}

Napi::Value add(Call& call, const Runtime& runtime, cl_context context) {
  return call.result(call.environment->handles.add(Kind::Context, context, runtime, context));
}

/// createContext(devices: Int32Array, properties?: BigUint64Array, messageId?)
Napi::Value createContext(Call& call) {
  std::vector<cl_device_id> devices;
  const Runtime* runtime = nullptr;
  for (const Handle handle : call.integers(0)) {
    const Slot& device = call.environment->handles.get(handle, Kind::Device, 0);
    runtime = device.runtime;
    devices.push_back(device.as<cl_device_id>());
  }
  if (runtime == nullptr) invalid("expected at least one device", 0);
  const auto properties = call.properties<cl_context_properties>(1);
  const Slot* platform = platformIn(call, properties, 1);
  // Drivers use a platform without checking whether it is theirs.
  if (platform != nullptr && platform->runtime != runtime) check(CL_INVALID_PLATFORM, "clCreateContext");
  auto record = makeRecord(call, 2);
  cl_int status = CL_SUCCESS;
  const cl_context context =
      runtime->clCreateContext(properties.empty() ? nullptr : properties.data(), static_cast<cl_uint>(devices.size()),
                               devices.data(), record == nullptr ? nullptr : onContextError, record.get(), &status);
  check(status, "clCreateContext");
  static_cast<void>(record.release());
  return add(call, *runtime, context);
}

/// createContextFromType(type, properties: BigUint64Array, messageId?)
Napi::Value createContextFromType(Call& call) {
  call.environment->requireInitialized();
  const auto properties = call.properties<cl_context_properties>(1);
  const Slot* platform = platformIn(call, properties, 1);
  const Runtime& runtime = platform == nullptr ? *runtimes().front() : *platform->runtime;
  auto record = makeRecord(call, 2);
  cl_int status = CL_SUCCESS;
  const cl_context context = runtime.clCreateContextFromType(
      properties.empty() ? nullptr : properties.data(), static_cast<cl_device_type>(call.flags(0)),
      record == nullptr ? nullptr : onContextError, record.get(), &status);
  check(status, "clCreateContextFromType");
  static_cast<void>(record.release());
  return add(call, runtime, context);
}

/// contextDevices(context)
Napi::Value contextDevices(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  const auto& entry = context.runtime->clGetContextInfo;
  const auto bytes = queryInfo(
      [&](size_t n, void* p, size_t* need) { return entry(context.as<cl_context>(), CL_CONTEXT_DEVICES, n, p, need); },
      entry.name);
  const auto* ids = reinterpret_cast<const cl_device_id*>(bytes.data());
  return call.result(
      internDevices(*call.environment, *context.runtime, {ids, ids + bytes.size() / sizeof(cl_device_id)}));
}

/// setDefaultDeviceQueue(context, device, queue)
Napi::Value setDefaultDeviceQueue(Call& call) {
  const Slot& context = call.slot(0, Kind::Context);
  const Slot& device = call.slot(1, Kind::Device);
  const Slot& queue = call.slot(2, Kind::Queue);
  check(context.runtime->clSetDefaultDeviceCommandQueue(context.as<cl_context>(), device.as<cl_device_id>(),
                                                        queue.as<cl_command_queue>()),
        "clSetDefaultDeviceCommandQueue");
  return {};
}

}  // namespace

void addContextExports(Exports& exports) {
  exports.add({{"createContext", function<createContext>},
               {"createContextFromType", function<createContextFromType>},
               {"contextDevices", function<contextDevices>},
               {"setDefaultDeviceQueue", function<setDefaultDeviceQueue>}});
}

}  // namespace cl
