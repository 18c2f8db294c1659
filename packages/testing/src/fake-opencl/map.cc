// Mapping and unmapping: the mapped pointer is the object's own memory.
#include <algorithm>

#include "memory.h"

namespace fake {
namespace {

void check_map_flags(cl_map_flags flags) {
  constexpr cl_map_flags known_flags = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  require((flags & ~known_flags) == 0, CL_INVALID_VALUE, "unknown map flags");
  const bool discards = (flags & CL_MAP_WRITE_INVALIDATE_REGION) != 0;
  require(!discards || flags == CL_MAP_WRITE_INVALIDATE_REGION, CL_INVALID_VALUE, "map flags that exclude each other");
}

void* note_map(_cl_mem& mem, std::byte* pointer) {
  mem.maps.push_back(pointer);
  ++outstanding_maps();
  return pointer;
}

}  // namespace
}  // namespace fake

using namespace fake;

void* clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                         std::size_t offset, std::size_t size, cl_uint count, const cl_event* list, cl_event* event,
                         cl_int* errcode_ret) {
  return create_routine("clEnqueueMapBuffer", errcode_ret, [&] {
    auto& m = buffer_for(queue, buffer);
    check_map_flags(flags);
    check_range(m, offset, size);
    submit({queue, CL_COMMAND_MAP_BUFFER, count, list, event, blocking != CL_FALSE}, {&m}, {});
    return note_map(m, m.data + offset);
  });
}

void* clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,
                        const std::size_t* origin, const std::size_t* region, std::size_t* row_pitch,
                        std::size_t* slice_pitch, cl_uint count, const cl_event* list, cl_event* event,
                        cl_int* errcode_ret) {
  return create_routine("clEnqueueMapImage", errcode_ret, [&] {
    auto& m = image_for(queue, image);
    check_map_flags(flags);
    check_box(m, origin, region);
    const bool layered_rows = m.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const bool sliced = layered_rows || m.type == CL_MEM_OBJECT_IMAGE2D_ARRAY || m.type == CL_MEM_OBJECT_IMAGE3D;
    require(row_pitch != nullptr && (slice_pitch != nullptr || !sliced), CL_INVALID_VALUE,
            "a null pointer for a pitch");
    submit({queue, CL_COMMAND_MAP_IMAGE, count, list, event, blocking != CL_FALSE}, {&m}, {});
    *row_pitch = m.row;
    if (slice_pitch != nullptr) *slice_pitch = !sliced ? 0 : layered_rows ? m.row : m.slice;
    return note_map(m, rows_at(m, triple(origin)).first);
  });
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void* pointer, cl_uint count, const cl_event* list,
                               cl_event* event) {
  return routine("clEnqueueUnmapMemObject", [&] {
    auto& m = mem_for(queue, mem);
    const auto found = std::find(m.maps.begin(), m.maps.end(), pointer);
    require(found != m.maps.end(), CL_INVALID_VALUE, "a pointer that is not mapped");
    submit({queue, CL_COMMAND_UNMAP_MEM_OBJECT, count, list, event}, {&m}, {});
    m.maps.erase(found);
    --outstanding_maps();
  });
}
