// Launches: checked as by a driver, without computing anything.
#include "commands.h"
#include "objects.h"

namespace fake {
namespace {

constexpr std::size_t max_items = 1024;

/** Returns the objects that the launch uses. Released ones are misuse. */
std::vector<Object*> collect_arguments(_cl_kernel& kernel) {
  std::vector<Object*> uses{&kernel};
  for (const auto& argument : kernel.arguments) {
    if (!argument.set) fail(CL_INVALID_KERNEL_ARGS);
    if (argument.mem != nullptr) uses.push_back(&check(argument.mem, CL_INVALID_MEM_OBJECT));
    if (argument.sampler != nullptr) uses.push_back(&check(argument.sampler, CL_INVALID_SAMPLER));
  }
  return uses;
}

void check_sizes(const _cl_kernel& kernel, cl_uint dimensions, const std::size_t* global, const std::size_t* local) {
  require(dimensions >= 1 && dimensions <= 3, CL_INVALID_WORK_DIMENSION, "not one to three dimensions");
  require(global != nullptr || opencl_version >= 210, CL_INVALID_GLOBAL_WORK_SIZE, "no global size");
  std::size_t items = 1;
  for (cl_uint axis = 0; axis < dimensions; ++axis) {
    const std::size_t size = global == nullptr ? 0 : global[axis];
    require(size > 0 || opencl_version >= 210, CL_INVALID_GLOBAL_WORK_SIZE, "an empty range before 2.1");
    const std::size_t required_size = kernel.signature.required[axis];
    if (local == nullptr) {
      if (required_size != 0) fail(CL_INVALID_WORK_GROUP_SIZE);
      continue;
    }
    if (local[axis] == 0 || (required_size != 0 && local[axis] != required_size)) fail(CL_INVALID_WORK_GROUP_SIZE);
    if (local[axis] > (axis == 2 ? 64 : max_items)) fail(CL_INVALID_WORK_ITEM_SIZE);
    if (opencl_version < 200 && size % local[axis] != 0) fail(CL_INVALID_WORK_GROUP_SIZE);
    items *= local[axis];
  }
  if (items > max_items) fail(CL_INVALID_WORK_GROUP_SIZE);
}

void launch(cl_command_queue queue, cl_kernel kernel, cl_command_type type, cl_uint dimensions,
            const std::size_t* global, const std::size_t* local, cl_uint count, const cl_event* list, cl_event* event) {
  auto& q = check(queue, CL_INVALID_COMMAND_QUEUE);
  auto& k = check(kernel, CL_INVALID_KERNEL);
  require(k.program->context == q.context, CL_INVALID_CONTEXT, "a kernel of another context");
  check_sizes(k, dimensions, global, local);
  submit({queue, type, count, list, event}, collect_arguments(k), {});
}

}  // namespace
}  // namespace fake

using namespace fake;

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const std::size_t*,
                              const std::size_t* global, const std::size_t* local, cl_uint count, const cl_event* list,
                              cl_event* event) {
  return routine("clEnqueueNDRangeKernel", [&] {
    launch(queue, kernel, CL_COMMAND_NDRANGE_KERNEL, dimensions, global, local, count, list, event);
  });
}

cl_int clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event* list, cl_event* event) {
  return routine("clEnqueueTask", [&] {
    const std::size_t one = 1;
    launch(queue, kernel, CL_COMMAND_TASK, 1, &one, &one, count, list, event);
  });
}

cl_int clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK*)(void*), void*, std::size_t, cl_uint,
                             const cl_mem*, const void**, cl_uint, const cl_event*, cl_event*) {
  return routine("clEnqueueNativeKernel", [&] {
    check(queue, CL_INVALID_COMMAND_QUEUE);
    fail(CL_INVALID_OPERATION);
  });
}
