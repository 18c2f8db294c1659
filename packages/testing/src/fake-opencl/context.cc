// Contexts, their properties, and the error callback that FAKE_CL_CONTEXT_ERROR triggers.
#include <algorithm>

#include "commands.h"
#include "objects.h"

namespace fake {
namespace {

/** Returns the list including its terminating zero; empty for a null pointer. */
std::vector<cl_context_properties> read_properties(const cl_context_properties* properties) {
  std::vector<cl_context_properties> list;
  if (properties == nullptr) return list;
  for (; *properties != 0; properties += 2) {
    if (properties[0] == CL_CONTEXT_PLATFORM) {
      check(reinterpret_cast<cl_platform_id>(properties[1]), CL_INVALID_PLATFORM);
    } else if (properties[0] != CL_CONTEXT_INTEROP_USER_SYNC) {
      fail(CL_INVALID_PROPERTY);
    }
    list.insert(list.end(), {properties[0], properties[1]});
  }
  list.push_back(0);
  return list;
}

cl_platform_id platform_of(const std::vector<cl_context_properties>& properties) {
  for (std::size_t at = 0; at + 1 < properties.size(); at += 2) {
    if (properties[at] == CL_CONTEXT_PLATFORM) return reinterpret_cast<cl_platform_id>(properties[at + 1]);
  }
  return platform_at(0);
}

cl_context make_context(std::vector<cl_context_properties> properties, std::vector<cl_device_id> devices,
                        _cl_context::Notify notify, void* user_data) {
  require(notify != nullptr || user_data == nullptr, CL_INVALID_VALUE, "user data without a callback");
  const auto context = make<_cl_context>();
  context->properties = std::move(properties);
  context->devices = std::move(devices);
  context->notify = notify;
  context->user_data = user_data;
  for (const auto device : context->devices) {
    if (device->parent != nullptr) hold(*device);
  }
  return context;
}

}  // namespace

void on_destroy(_cl_context& context) {
  for (auto at = context.destructors.rbegin(); at != context.destructors.rend(); ++at) post(*at);
  for (const auto device : context.devices) {
    if (device->parent != nullptr) unhold(*device);
  }
}

void report_context_error(_cl_context& context) {
  const std::string value = control("FAKE_CL_CONTEXT_ERROR");
  if (value == context.reported) return;
  context.reported = value;
  if (value.empty() || value == "0" || context.notify == nullptr) return;
  post([notify = context.notify, user_data = context.user_data] {
    const char detail[] = {1, 2, 3, 4};
    notify("fake context error", detail, sizeof detail, user_data);
  });
}

}  // namespace fake

using namespace fake;

cl_context clCreateContext(const cl_context_properties* properties, cl_uint count, const cl_device_id* devices,
                           _cl_context::Notify notify, void* user_data, cl_int* errcode_ret) {
  return create_routine("clCreateContext", errcode_ret, [&] {
    require(count > 0 && devices != nullptr, CL_INVALID_VALUE, "a context without devices");
    auto list = read_properties(properties);
    for (cl_uint at = 0; at < count; ++at) {
      check(devices[at], CL_INVALID_DEVICE);
      require(devices[at]->platform == devices[0]->platform, CL_INVALID_DEVICE, "devices of several platforms");
    }
    return make_context(std::move(list), {devices, devices + count}, notify, user_data);
  });
}

cl_context clCreateContextFromType(const cl_context_properties* properties, cl_device_type type,
                                   _cl_context::Notify notify, void* user_data, cl_int* errcode_ret) {
  return create_routine("clCreateContextFromType", errcode_ret, [&] {
    auto list = read_properties(properties);
    std::vector<cl_device_id> devices;
    for (const auto device : root_devices(platform_of(list))) {
      const bool is_default = (type & CL_DEVICE_TYPE_DEFAULT) != 0 && device->index == 0;
      if (is_default || (type & device_type(*device)) != 0) devices.push_back(device);
    }
    if (devices.empty()) fail(CL_DEVICE_NOT_FOUND);
    return make_context(std::move(list), std::move(devices), notify, user_data);
  });
}

cl_int clRetainContext(cl_context context) {
  return routine("clRetainContext", [&] { retain(context, CL_INVALID_CONTEXT); });
}

cl_int clReleaseContext(cl_context context) {
  return release_routine("clReleaseContext", [&] { release(context, CL_INVALID_CONTEXT); });
}

cl_int clGetContextInfo(cl_context context, cl_context_info name, std::size_t size, void* value,
                        std::size_t* size_ret) {
  return info_routine("clGetContextInfo", size, value, size_ret, [&](Info& out) {
    const auto& c = check(context, CL_INVALID_CONTEXT);
    switch (name) {
      case CL_CONTEXT_REFERENCE_COUNT:
        return out.put<cl_uint>(static_cast<cl_uint>(c.refs));
      case CL_CONTEXT_NUM_DEVICES:
        return out.put<cl_uint>(static_cast<cl_uint>(c.devices.size()));
      case CL_CONTEXT_DEVICES:
        return out.list(c.devices);
      case CL_CONTEXT_PROPERTIES:
        return out.list(c.properties);
      default:
        fail(CL_INVALID_VALUE);
    }
  });
}

cl_int clSetContextDestructorCallback(cl_context context, void(CL_CALLBACK* notify)(cl_context, void*),
                                      void* user_data) {
  return routine("clSetContextDestructorCallback", [&] {
    auto& c = check(context, CL_INVALID_CONTEXT);
    require(notify != nullptr, CL_INVALID_VALUE, "no callback");
    c.destructors.emplace_back([=] { notify(context, user_data); });
  });
}
