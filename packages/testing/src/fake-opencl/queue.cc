// Command queues: both creation routines, flush and finish.
#include "commands.h"
#include "objects.h"

namespace fake {
namespace {

constexpr cl_command_queue_properties host_flags = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

cl_command_queue make_queue(cl_context context, cl_device_id device, cl_command_queue_properties flags,
                            std::vector<cl_queue_properties> properties) {
  auto& c = check(context, CL_INVALID_CONTEXT);
  check(device, CL_INVALID_DEVICE);
  bool found = false;
  for (const auto candidate : c.devices) found = found || candidate == device;
  require(found, CL_INVALID_DEVICE, "a device that is not in the context");
  if ((flags & ~host_flags) != 0) fail(CL_INVALID_QUEUE_PROPERTIES);
  const auto queue = make<_cl_command_queue>();
  queue->context = context;
  queue->device = device;
  queue->flags = flags;
  queue->properties = std::move(properties);
  hold(c);
  return queue;
}

}  // namespace

cl_command_queue queue_with(cl_context context, cl_device_id device, const cl_queue_properties* properties) {
  cl_command_queue_properties flags = 0;
  std::vector<cl_queue_properties> list;
  for (auto at = properties; at != nullptr && *at != 0; at += 2) {
    if (at[0] == CL_QUEUE_PROPERTIES) {
      flags = at[1];
    } else if (at[0] != CL_QUEUE_PRIORITY_KHR && at[0] != CL_QUEUE_THROTTLE_KHR) {
      fail(CL_INVALID_VALUE);
    }
    list.insert(list.end(), {at[0], at[1]});
  }
  if (properties != nullptr) list.push_back(0);
  return make_queue(context, device, flags, std::move(list));
}

void on_destroy(_cl_command_queue& queue) { unhold(*queue.context); }

}  // namespace fake

using namespace fake;

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device, cl_command_queue_properties flags,
                                      cl_int* errcode_ret) {
  return create_routine("clCreateCommandQueue", errcode_ret, [&] { return make_queue(context, device, flags, {}); });
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties* properties, cl_int* errcode_ret) {
  return create_routine("clCreateCommandQueueWithProperties", errcode_ret,
                        [&] { return queue_with(context, device, properties); });
}

cl_int clRetainCommandQueue(cl_command_queue queue) {
  return routine("clRetainCommandQueue", [&] { retain(queue, CL_INVALID_COMMAND_QUEUE); });
}

cl_int clReleaseCommandQueue(cl_command_queue queue) {
  return release_routine("clReleaseCommandQueue", [&] { release(queue, CL_INVALID_COMMAND_QUEUE); });
}

cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name, std::size_t size, void* value,
                             std::size_t* size_ret) {
  return info_routine("clGetCommandQueueInfo", size, value, size_ret, [&](Info& out) {
    const auto& q = check(queue, CL_INVALID_COMMAND_QUEUE);
    switch (name) {
      case CL_QUEUE_CONTEXT:
        return out.put<cl_context>(q.context);
      case CL_QUEUE_DEVICE:
        return out.put<cl_device_id>(q.device);
      case CL_QUEUE_REFERENCE_COUNT:
        return out.put<cl_uint>(static_cast<cl_uint>(q.refs));
      case CL_QUEUE_PROPERTIES:
        return out.put<cl_command_queue_properties>(q.flags);
      case CL_QUEUE_DEVICE_DEFAULT:
        require_version(210);
        return out.put<cl_command_queue>(nullptr);
      case CL_QUEUE_PROPERTIES_ARRAY:
        require_version(300);
        return out.list(q.properties);
      case CL_QUEUE_SIZE:
        // Only on-device queues, which this device does not support, have a size.
        fail(CL_INVALID_COMMAND_QUEUE);
      default:
        fail(CL_INVALID_VALUE);
    }
  });
}

cl_int clFlush(cl_command_queue queue) {
  return routine("clFlush", [&] { check(queue, CL_INVALID_COMMAND_QUEUE); });
}

cl_int clFinish(cl_command_queue queue) {
  return routine("clFinish", [&] { finish(check(queue, CL_INVALID_COMMAND_QUEUE)); });
}
