#include "context.h"

#include "info.h"
#include "platform.h"

namespace cl {
namespace {

/// Lives as long as the driver may call: there is no unregistering, so it is kept until the context's record dies, and
/// the context itself is the only one that calls.
struct ContextRecord final : Record {
  std::shared_ptr<Channel> channel;
  double id = 0;
};

void CL_CALLBACK onContextError(const char* message, const void*, size_t, void* data) {
  const auto* record = static_cast<ContextRecord*>(data);
  record->channel->post({record->id, 0, message == nullptr ? "" : message});
}

std::vector<cl_context_properties> readProperties(const Call& call, size_t i) {
  std::vector<cl_context_properties> properties;
  for (const uint64_t value : call.longs(i)) properties.push_back(static_cast<cl_context_properties>(value));
  if (!properties.empty()) properties.push_back(0);
  return properties;
}

/// The record of a context whose messages go to completion `id`, or none. It is leaked by design: a driver may report an
/// error at any time until the last object of the context is gone, which nobody can observe before OpenCL 3.0.
ContextRecord* makeRecord(const Call& call, size_t i) {
  if (!call.has(i)) return nullptr;
  auto* record = new ContextRecord();
  record->channel = call.environment->channel;
  record->id = call.number(i);
  return record;
}

napi_value add(Call& call, const Runtime& runtime, cl_context context) {
  return call.result(call.environment->handles.add(Kind::Context, context, runtime, context));
}

/// createContext(devices: Int32Array, properties?: BigUint64Array, messageId?)
napi_value createContext(Call& call) {
  std::vector<cl_device_id> devices;
  const Runtime* runtime = nullptr;
  for (const Handle handle : call.integers(0)) {
    const Slot& device = call.environment->handles.get(handle, Kind::Device, 0);
    runtime = device.runtime;
    devices.push_back(device.as<cl_device_id>());
  }
  if (runtime == nullptr) invalid("at least one device is needed", 0);
  const auto properties = readProperties(call, 1);
  ContextRecord* record = makeRecord(call, 2);
  cl_int status = CL_SUCCESS;
  const cl_context context =
      runtime->clCreateContext(properties.empty() ? nullptr : properties.data(), static_cast<cl_uint>(devices.size()),
                               devices.data(), record == nullptr ? nullptr : onContextError, record, &status);
  check(status, "clCreateContext");
  return add(call, *runtime, context);
}

/// createContextFromType(type, properties: BigUint64Array, messageId?)
napi_value createContextFromType(Call& call) {
  const Runtime& runtime = systemRuntime();
  const auto properties = readProperties(call, 1);
  ContextRecord* record = makeRecord(call, 2);
  cl_int status = CL_SUCCESS;
  const cl_context context = runtime.clCreateContextFromType(
      properties.empty() ? nullptr : properties.data(), static_cast<cl_device_type>(call.number(0)),
      record == nullptr ? nullptr : onContextError, record, &status);
  check(status, "clCreateContextFromType");
  return add(call, runtime, context);
}

/// contextDevices(context)
napi_value contextDevices(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  const auto& entry = context.runtime->clGetContextInfo;
  const auto bytes = queryInfo(
      [&](size_t n, void* p, size_t* need) { return entry(context.as<cl_context>(), CL_CONTEXT_DEVICES, n, p, need); }, entry.name);
  const auto* ids = reinterpret_cast<const cl_device_id*>(bytes.data());
  return call.result(internDevices(*call.environment, *context.runtime, {ids, ids + bytes.size() / sizeof(cl_device_id)}));
}

/// setDefaultDeviceQueue(context, device, queue)
napi_value setDefaultDeviceQueue(Call& call) {
  const Slot& context = call.slot(0, Kind::Context);
  const Slot& device = call.slot(1, Kind::Device);
  const Slot& queue = call.slot(2, Kind::Queue);
  check(context.runtime->clSetDefaultDeviceCommandQueue(context.as<cl_context>(), device.as<cl_device_id>(), queue.as<cl_command_queue>()),
        "clSetDefaultDeviceCommandQueue");
  return nullptr;
}

}  // namespace

void addContextExports(Exports& exports) {
  exports.push_back({"createContext", invoke<createContext>});
  exports.push_back({"createContextFromType", invoke<createContextFromType>});
  exports.push_back({"contextDevices", invoke<contextDevices>});
  exports.push_back({"setDefaultDeviceQueue", invoke<setDefaultDeviceQueue>});
}

}  // namespace cl
