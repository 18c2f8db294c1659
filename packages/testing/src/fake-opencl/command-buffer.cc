// A command buffer's commands are checked when they are recorded, and the objects they use are checked again when they
// are enqueued: the driver holds no references, so a binding must.
#include "command-buffer.h"

#include "commands.h"
#include "memory.h"

struct _cl_command_buffer_khr : fake::Object {
  static constexpr fake::Kind tag = fake::Kind::command_buffer;
  _cl_command_buffer_khr() : Object(tag) {}
  cl_command_queue queue = nullptr;
  bool simultaneous = false;
  bool finalized = false;
  int running = 0;
  /** Whether the last run has ended, but its state was not queried since. */
  bool late = false;
  std::vector<cl_command_buffer_properties_khr> properties;
  std::vector<cl_mem> mems;
  std::vector<cl_kernel> kernels;
  std::vector<std::function<void()>> works;
};

namespace fake {

void destroy_command_buffer(Object& object) {
  auto& buffer = static_cast<_cl_command_buffer_khr&>(object);
  buffer.works.clear();
  unhold(*buffer.queue);
}

namespace {

constexpr cl_int invalid = CL_INVALID_COMMAND_BUFFER_KHR;

cl_command_buffer_khr create(cl_uint count, const cl_command_queue* queues,
                             const cl_command_buffer_properties_khr* properties, cl_int* error) {
  return create_routine("clCreateCommandBufferKHR", error, [&] {
    require(count == 1 && queues != nullptr, CL_INVALID_VALUE, "a number of queues other than 1");
    auto& queue = check(queues[0], CL_INVALID_COMMAND_QUEUE);
    const auto buffer = make<_cl_command_buffer_khr>();
    buffer->queue = &queue;
    for (auto at = properties; at != nullptr && *at != 0; at += 2) {
      buffer->properties.insert(buffer->properties.end(), {at[0], at[1]});
      if (at[0] == CL_COMMAND_BUFFER_FLAGS_KHR)
        buffer->simultaneous = (at[1] & CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR) != 0;
    }
    if (properties != nullptr) buffer->properties.push_back(0);
    hold(queue);
    return buffer;
  });
}

_cl_command_buffer_khr& recording(cl_command_buffer_khr buffer, cl_command_queue queue) {
  auto& b = check(buffer, invalid);
  require(queue == nullptr, CL_INVALID_COMMAND_QUEUE, "a queue other than the command buffer's");
  require(!b.finalized, CL_INVALID_OPERATION, "a command recorded after finalization");
  return b;
}

cl_int finalize(cl_command_buffer_khr buffer) {
  return routine("clFinalizeCommandBufferKHR", [&] { recording(buffer, nullptr).finalized = true; });
}

cl_int release_buffer(cl_command_buffer_khr buffer) {
  return release_routine("clReleaseCommandBufferKHR", [&] {
    require(check(buffer, invalid).running == 0, invalid, "released while it runs");
    release(buffer, invalid);
  });
}

cl_int info(cl_command_buffer_khr buffer, cl_command_buffer_info_khr name, std::size_t size, void* value,
            std::size_t* size_ret) {
  return info_routine("clGetCommandBufferInfoKHR", size, value, size_ret, [&](Info& out) {
    const auto& b = check(buffer, invalid);
    switch (name) {
      case CL_COMMAND_BUFFER_QUEUES_KHR:
        return out.put<cl_command_queue>(b.queue);
      case CL_COMMAND_BUFFER_NUM_QUEUES_KHR:
        return out.put<cl_uint>(1);
      case CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR:
        return out.put<cl_uint>(static_cast<cl_uint>(b.refs));
      case CL_COMMAND_BUFFER_STATE_KHR:
        if (std::exchange(buffer->late, false)) return out.put<cl_uint>(CL_COMMAND_BUFFER_STATE_PENDING_KHR);
        return out.put<cl_uint>(!b.finalized    ? CL_COMMAND_BUFFER_STATE_RECORDING_KHR
                                : b.running > 0 ? CL_COMMAND_BUFFER_STATE_PENDING_KHR
                                                : CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
      case CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR:
        return out.list(b.properties);
      default:
        fail(CL_INVALID_VALUE);
    }
  });
}

cl_int enqueue(cl_uint count, cl_command_queue*, cl_command_buffer_khr buffer, cl_uint wait_count,
               const cl_event* wait_list, cl_event* event) {
  return routine("clEnqueueCommandBufferKHR", [&] {
    auto& b = check(buffer, invalid);
    require(count == 0, CL_INVALID_VALUE, "queues other than the command buffer's");
    require(b.finalized, CL_INVALID_OPERATION, "enqueued before finalization");
    if (b.late) throw Failure{CL_INVALID_OPERATION};
    require(b.simultaneous || b.running == 0, CL_INVALID_OPERATION, "enqueued while it runs, without simultaneous use");
    std::vector<Object*> uses{&b};
    for (const auto mem : b.mems) uses.push_back(&check(mem, CL_INVALID_MEM_OBJECT));
    for (const auto kernel : b.kernels) uses.push_back(&check(kernel, CL_INVALID_KERNEL));
    ++b.running;
    submit({b.queue, CL_COMMAND_COMMAND_BUFFER_KHR, wait_count, wait_list, event}, uses, [&b] {
      --b.running;
      b.late = control("FAKE_CL_COMMAND_BUFFERS") == "late";
      for (const auto& work : b.works) work();
    });
  });
}

cl_int barrier(cl_command_buffer_khr buffer, cl_command_queue queue, cl_uint, const cl_sync_point_khr*,
               cl_sync_point_khr*, cl_mutable_command_khr*) {
  return routine("clCommandBarrierWithWaitListKHR", [&] { recording(buffer, queue); });
}

cl_int copy(cl_command_buffer_khr buffer, cl_command_queue queue, cl_mem source, cl_mem target,
            std::size_t source_offset, std::size_t target_offset, std::size_t size, cl_uint, const cl_sync_point_khr*,
            cl_sync_point_khr*, cl_mutable_command_khr*) {
  return routine("clCommandCopyBufferKHR", [&] {
    auto& b = recording(buffer, queue);
    auto& from = buffer_for(b.queue, source);
    auto& to = buffer_for(b.queue, target);
    check_range(from, source_offset, size);
    check_range(to, target_offset, size);
    b.mems.insert(b.mems.end(), {source, target});
    b.works.emplace_back([=] { std::memmove(target->data + target_offset, source->data + source_offset, size); });
  });
}

cl_int fill_buffer(cl_command_buffer_khr buffer, cl_command_queue queue, cl_mem target, const void* pattern,
                   std::size_t pattern_size, std::size_t offset, std::size_t size, cl_uint, const cl_sync_point_khr*,
                   cl_sync_point_khr*, cl_mutable_command_khr*) {
  return routine("clCommandFillBufferKHR", [&] {
    auto& b = recording(buffer, queue);
    check_range(buffer_for(b.queue, target), offset, size);
    check_pattern(pattern, pattern_size, offset, size);
    b.mems.push_back(target);
    const auto first = static_cast<const std::byte*>(pattern);
    b.works.emplace_back(
        [=, bytes = std::vector<std::byte>(first, first + pattern_size)] { fill(target->data + offset, size, bytes); });
  });
}

cl_int kernel(cl_command_buffer_khr buffer, cl_command_queue queue, const cl_ndrange_kernel_command_properties_khr*,
              cl_kernel kernel, cl_uint dimensions, const std::size_t*, const std::size_t* global, const std::size_t*,
              cl_uint, const cl_sync_point_khr*, cl_sync_point_khr*, cl_mutable_command_khr*) {
  return routine("clCommandNDRangeKernelKHR", [&] {
    auto& b = recording(buffer, queue);
    const auto& k = check(kernel, CL_INVALID_KERNEL);
    require(dimensions >= 1 && dimensions <= 3 && global != nullptr, CL_INVALID_WORK_DIMENSION, "no sizes");
    for (const auto& argument : k.arguments) {
      if (!argument.set) fail(CL_INVALID_KERNEL_ARGS);
      if (argument.mem == nullptr) continue;
      check(argument.mem, CL_INVALID_MEM_OBJECT);
      b.mems.push_back(argument.mem);
    }
    b.kernels.push_back(kernel);
  });
}

/// A routine with the parameter that version 0.9.5 added.
template <auto routine, typename... Parameters>
cl_int with_properties(cl_command_buffer_khr buffer, cl_command_queue queue, const cl_properties* properties,
                       Parameters... parameters) {
  return properties == nullptr ? routine(buffer, queue, parameters...) : CL_INVALID_VALUE;
}

template <auto routine, typename... Parameters>
void* versions(cl_int (*)(cl_command_buffer_khr, cl_command_queue, Parameters...), bool takes_properties) {
  return takes_properties ? address(with_properties<routine, Parameters...>) : address(routine);
}

}  // namespace

std::vector<std::pair<const char*, void*>> command_buffer_functions(bool takes_properties) {
  return {{"clCreateCommandBufferKHR", address(create)},
          {"clFinalizeCommandBufferKHR", address(finalize)},
          {"clReleaseCommandBufferKHR", address(release_buffer)},
          {"clGetCommandBufferInfoKHR", address(info)},
          {"clEnqueueCommandBufferKHR", address(enqueue)},
          {"clCommandBarrierWithWaitListKHR", versions<barrier>(barrier, takes_properties)},
          {"clCommandCopyBufferKHR", versions<copy>(copy, takes_properties)},
          {"clCommandFillBufferKHR", versions<fill_buffer>(fill_buffer, takes_properties)},
          {"clCommandNDRangeKernelKHR", address(kernel)}};
}

}  // namespace fake
