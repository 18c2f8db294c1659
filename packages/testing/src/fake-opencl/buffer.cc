// Buffers and sub-buffers.
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "extension.h"
#include "memory.h"

namespace fake {
namespace {

constexpr std::size_t max_bytes = 256UL << 20;

cl_mem make_buffer(cl_context context, cl_mem_flags flags, std::size_t size, void* host_ptr,
                   std::vector<cl_mem_properties> properties) {
  auto& c = check(context, CL_INVALID_CONTEXT);
  require(size > 0, CL_INVALID_BUFFER_SIZE, "a buffer of 0 bytes");
  if (size > max_bytes) fail(CL_INVALID_BUFFER_SIZE);
  check_flags(flags, host_ptr);
  const auto mem = make<_cl_mem>();
  mem->context = context;
  mem->flags = flags;
  mem->size = size;
  mem->properties = std::move(properties);
  hold(c);
  try {
    attach_bytes(*mem, host_ptr);
  } catch (...) {
    release(mem, CL_INVALID_MEM_OBJECT);
    throw;
  }
  return mem;
}

/** Creates a buffer on the bytes of a file. Takes ownership of the descriptor. */
cl_mem import_buffer(cl_context context, cl_mem_flags flags, std::size_t size, int descriptor,
                     std::vector<cl_mem_properties> properties) {
  auto& c = check(context, CL_INVALID_CONTEXT);
  struct stat about{};
  if (fstat(descriptor, &about) != 0 || static_cast<std::size_t>(about.st_size) < size) fail(CL_INVALID_VALUE);
  void* const bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (bytes == MAP_FAILED) fail(CL_INVALID_VALUE);
  close(descriptor);
  const auto mem = make<_cl_mem>();
  mem->context = context;
  mem->flags = flags;
  mem->size = size;
  mem->properties = std::move(properties);
  mem->external = true;
  mem->data = static_cast<std::byte*>(bytes);
  hold(c);
  return mem;
}

}  // namespace
}  // namespace fake

using namespace fake;

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, std::size_t size, void* host_ptr, cl_int* errcode_ret) {
  return create_routine("clCreateBuffer", errcode_ret, [&] { return make_buffer(context, flags, size, host_ptr, {}); });
}

cl_mem clCreateBufferWithProperties(cl_context context, const cl_mem_properties* properties, cl_mem_flags flags,
                                    std::size_t size, void* host_ptr, cl_int* errcode_ret) {
  return create_routine("clCreateBufferWithProperties", errcode_ret, [&] {
    std::vector<cl_mem_properties> list;
    int descriptor = -1;
    for (auto at = properties; at != nullptr && *at != 0;) {
      const auto key = *at;
      list.push_back(*at++);
      if (key == kDeviceHandleList) {
        while (*at != 0) list.push_back(*at++);
      } else {
        if (!is_external_memory(key)) fail(CL_INVALID_PROPERTY);
        descriptor = static_cast<int>(*at);
      }
      list.push_back(*at++);
    }
    if (properties != nullptr) list.push_back(0);
    if (descriptor >= 0) return import_buffer(context, flags, size, descriptor, std::move(list));
    return make_buffer(context, flags, size, host_ptr, std::move(list));
  });
}

cl_mem clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void* info,
                         cl_int* errcode_ret) {
  return create_routine("clCreateSubBuffer", errcode_ret, [&] {
    auto& parent = check(buffer, CL_INVALID_MEM_OBJECT);
    require(parent.type == CL_MEM_OBJECT_BUFFER && parent.parent == nullptr, CL_INVALID_MEM_OBJECT,
            "a sub-buffer of something other than a whole buffer");
    require(type == CL_BUFFER_CREATE_TYPE_REGION && info != nullptr, CL_INVALID_VALUE, "no region");
    const auto& region = *static_cast<const cl_buffer_region*>(info);
    require(region.size > 0, CL_INVALID_BUFFER_SIZE, "a sub-buffer of 0 bytes");
    check_range(parent, region.origin, region.size);
    if (region.origin % Storage::alignment != 0) fail(CL_MISALIGNED_SUB_BUFFER_OFFSET);
    constexpr cl_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
    const auto mem = make<_cl_mem>();
    mem->context = parent.context;
    mem->flags = (flags & access) != 0 ? flags : flags | (parent.flags & access);
    mem->size = region.size;
    mem->parent = &parent;
    mem->origin = region.origin;
    mem->data = parent.data + region.origin;
    if (parent.host_ptr != nullptr) mem->host_ptr = mem->data;
    hold(parent);
    hold(*parent.context);
    return mem;
  });
}
