// Common parts of memory objects: bytes, reference counts, info and destructor callbacks; and pipes.
#include "memory.h"

#include <sys/mman.h>

#include <algorithm>

namespace fake {
namespace {

/** Total bytes of live memory objects, limited by FAKE_CL_MEMORY. */
std::size_t& owned_bytes() {
  static std::size_t bytes = 0;
  return bytes;
}

bool overlapping(cl_mem_flags flags, cl_mem_flags mask) {
  const cl_mem_flags chosen = flags & mask;
  return (chosen & (chosen - 1)) != 0;
}

}  // namespace

void check_flags(cl_mem_flags flags, const void* host_ptr) {
  constexpr cl_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
  constexpr cl_mem_flags host = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
  constexpr cl_mem_flags origin = CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR;
  require((flags & ~(access | host | origin | CL_MEM_KERNEL_READ_AND_WRITE)) == 0, CL_INVALID_VALUE, "unknown flags");
  require(!overlapping(flags, access) && !overlapping(flags, host), CL_INVALID_VALUE, "flags that exclude each other");
  const bool uses = (flags & CL_MEM_USE_HOST_PTR) != 0;
  require(!uses || (flags & (origin & ~CL_MEM_USE_HOST_PTR)) == 0, CL_INVALID_VALUE, "flags that exclude each other");
  const bool needs_pointer = uses || (flags & CL_MEM_COPY_HOST_PTR) != 0;
  require(needs_pointer == (host_ptr != nullptr), CL_INVALID_HOST_PTR, "the flags and the host pointer disagree");
}

void attach_bytes(_cl_mem& mem, void* host_ptr) {
  const long limit = control("FAKE_CL_MEMORY", 0);
  if (limit > 0 && owned_bytes() + mem.size > static_cast<std::size_t>(limit)) fail(CL_MEM_OBJECT_ALLOCATION_FAILURE);
  mem.host_ptr = (mem.flags & CL_MEM_USE_HOST_PTR) != 0 ? host_ptr : nullptr;
  if (mem.host_ptr != nullptr) {
    mem.data = static_cast<std::byte*>(mem.host_ptr);
    return;
  }
  mem.storage.allocate(mem.size);
  mem.data = mem.storage.data();
  owned_bytes() += mem.size;
  if ((mem.flags & CL_MEM_COPY_HOST_PTR) != 0) std::memcpy(mem.data, host_ptr, mem.size);
}

void on_destroy(_cl_mem& mem) {
  for (auto at = mem.destructors.rbegin(); at != mem.destructors.rend(); ++at) post(*at);
  outstanding_maps() -= static_cast<long>(mem.maps.size());
  mem.maps.clear();
  if (mem.external) munmap(mem.data, mem.size);
  if (mem.storage.data() != nullptr) owned_bytes() -= mem.size;
  mem.storage.clear();
  mem.data = nullptr;
  if (mem.parent != nullptr) unhold(*mem.parent);
  unhold(*mem.context);
}

_cl_mem& mem_for(cl_command_queue queue, cl_mem mem) {
  check(queue, CL_INVALID_COMMAND_QUEUE);
  return check_in(queue->context, mem, CL_INVALID_MEM_OBJECT);
}

_cl_mem& buffer_for(cl_command_queue queue, cl_mem mem) {
  auto& m = mem_for(queue, mem);
  require(m.type == CL_MEM_OBJECT_BUFFER, CL_INVALID_MEM_OBJECT, "not a buffer");
  return m;
}

_cl_mem& image_for(cl_command_queue queue, cl_mem mem) {
  auto& m = mem_for(queue, mem);
  require(m.type != CL_MEM_OBJECT_BUFFER, CL_INVALID_MEM_OBJECT, "not an image");
  return m;
}

void check_range(const _cl_mem& mem, std::size_t offset, std::size_t size) {
  require(size > 0, CL_INVALID_VALUE, "an empty range");
  require(offset <= mem.size && size <= mem.size - offset, CL_INVALID_VALUE, "a range outside the object");
}

void check_box(const _cl_mem& image, const std::size_t* origin, const std::size_t* region) {
  const Triple from = triple(origin);
  const Triple size = triple(region);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    require(size[axis] > 0, CL_INVALID_VALUE, "an empty region");
    const bool inside = from[axis] <= image.extent[axis] && size[axis] <= image.extent[axis] - from[axis];
    require(inside, CL_INVALID_VALUE, "a region outside the image");
  }
}

void copy_rows(const Rows& to, const Rows& from, std::size_t width, std::size_t height, std::size_t depth) {
  for (std::size_t z = 0; z < depth; ++z) {
    for (std::size_t y = 0; y < height; ++y) {
      std::memmove(to.first + z * to.slice + y * to.row, from.first + z * from.slice + y * from.row, width);
    }
  }
}

Rows rows_at(const _cl_mem& image, const Triple& origin) {
  const auto offset = origin[2] * image.slice + origin[1] * image.row + origin[0] * image.pixel;
  return {image.data + offset, image.row, image.slice};
}

Triple triple(const std::size_t* values) {
  require(values != nullptr, CL_INVALID_VALUE, "no origin or region");
  return {values[0], values[1], values[2]};
}

void fill(std::byte* to, std::size_t size, const std::vector<std::byte>& pattern) {
  for (std::size_t at = 0; at < size; at += pattern.size()) std::memcpy(to + at, pattern.data(), pattern.size());
}

void check_pattern(const void* pattern, std::size_t pattern_size, std::size_t offset, std::size_t size) {
  const bool power = pattern_size > 0 && pattern_size <= 128 && (pattern_size & (pattern_size - 1)) == 0;
  require(pattern != nullptr && power, CL_INVALID_VALUE, "a pattern of an invalid size");
  require(offset % pattern_size == 0 && size % pattern_size == 0, CL_INVALID_VALUE,
          "a range that is not a multiple of the pattern size");
}

}  // namespace fake

using namespace fake;

cl_int clRetainMemObject(cl_mem mem) {
  return routine("clRetainMemObject", [&] { retain(mem, CL_INVALID_MEM_OBJECT); });
}

cl_int clReleaseMemObject(cl_mem mem) {
  return release_routine("clReleaseMemObject", [&] { release(mem, CL_INVALID_MEM_OBJECT); });
}

cl_int clSetMemObjectDestructorCallback(cl_mem mem, void(CL_CALLBACK* notify)(cl_mem, void*), void* user_data) {
  return routine("clSetMemObjectDestructorCallback", [&] {
    auto& m = check(mem, CL_INVALID_MEM_OBJECT);
    require(notify != nullptr, CL_INVALID_VALUE, "no callback");
    m.destructors.emplace_back([=] { notify(mem, user_data); });
  });
}

cl_int clGetMemObjectInfo(cl_mem mem, cl_mem_info name, std::size_t size, void* value, std::size_t* size_ret) {
  return info_routine("clGetMemObjectInfo", size, value, size_ret, [&](Info& out) {
    const auto& m = check(mem, CL_INVALID_MEM_OBJECT);
    switch (name) {
      case CL_MEM_TYPE:
        return out.put<cl_mem_object_type>(m.type);
      case CL_MEM_FLAGS:
        return out.put<cl_mem_flags>(m.flags);
      case CL_MEM_SIZE:
        return out.put<std::size_t>(m.size);
      case CL_MEM_HOST_PTR:
        return out.put<void*>(m.host_ptr);
      case CL_MEM_MAP_COUNT:
        return out.put<cl_uint>(static_cast<cl_uint>(m.maps.size()));
      case CL_MEM_REFERENCE_COUNT:
        return out.put<cl_uint>(static_cast<cl_uint>(m.refs));
      case CL_MEM_CONTEXT:
        return out.put<cl_context>(m.context);
      case CL_MEM_ASSOCIATED_MEMOBJECT:
        require_version(110);
        return out.put<cl_mem>(m.parent);
      case CL_MEM_OFFSET:
        require_version(110);
        return out.put<std::size_t>(m.origin);
      case CL_MEM_USES_SVM_POINTER:
        require_version(200);
        return out.put<cl_bool>(m.host_ptr != nullptr && svm_base(m.host_ptr, m.size) != nullptr ? CL_TRUE : CL_FALSE);
      case CL_MEM_PROPERTIES:
        require_version(300);
        return out.list(m.properties);
      default:
        fail(CL_INVALID_VALUE);
    }
  });
}

// FAKE_CL_PIPES determines whether devices have pipes.
cl_mem clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet_size, cl_uint packets,
                    const cl_pipe_properties* properties, cl_int* errcode_ret) {
  return create_routine("clCreatePipe", errcode_ret, [&]() -> cl_mem {
    auto& c = check(context, CL_INVALID_CONTEXT);
    if (control("FAKE_CL_PIPES", 0) == 0) fail(CL_INVALID_OPERATION);
    require(properties == nullptr || *properties == 0, CL_INVALID_VALUE, "properties of a pipe");
    require(packet_size > 0 && packets > 0, CL_INVALID_PIPE_SIZE, "an empty pipe");
    if ((flags & ~cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS}) != 0) fail(CL_INVALID_VALUE);
    const auto mem = make<_cl_mem>();
    mem->context = context;
    mem->type = CL_MEM_OBJECT_PIPE;
    mem->flags = flags;
    mem->packet_size = packet_size;
    mem->packets = packets;
    hold(c);
    return mem;
  });
}

cl_int clGetPipeInfo(cl_mem pipe, cl_pipe_info name, std::size_t size, void* value, std::size_t* size_ret) {
  return info_routine("clGetPipeInfo", size, value, size_ret, [&](Info& out) {
    const auto& p = check(pipe, CL_INVALID_MEM_OBJECT);
    if (p.type != CL_MEM_OBJECT_PIPE) fail(CL_INVALID_MEM_OBJECT);
    switch (name) {
      case CL_PIPE_PACKET_SIZE:
        return out.put<cl_uint>(p.packet_size);
      case CL_PIPE_MAX_PACKETS:
        return out.put<cl_uint>(p.packets);
      case CL_PIPE_PROPERTIES:
        require_version(300);
        return out.list(std::vector<cl_pipe_properties>{});
      default:
        fail(CL_INVALID_VALUE);
    }
  });
}
