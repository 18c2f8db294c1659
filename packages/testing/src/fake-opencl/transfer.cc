// Reads, writes, copies and fills of buffers, linear and rectangular.
#include <algorithm>

#include "memory.h"

namespace fake {
namespace {

std::vector<std::byte> bytes_of(const void* data, std::size_t size) {
  const auto first = static_cast<const std::byte*>(data);
  return {first, first + size};
}

/** A rectangle in a buffer or in the caller's memory, with explicit pitches. */
struct Rect {
  std::size_t offset;
  std::size_t row;
  std::size_t slice;
  std::size_t end;
  /** End including the gaps after the last row and slice, which NVIDIA's driver requires to be in range. */
  std::size_t with_gaps;

  Rect(const std::size_t* origin, const Triple& region, std::size_t row_pitch, std::size_t slice_pitch) {
    const Triple at = triple(origin);
    for (const auto length : region) require(length > 0, CL_INVALID_VALUE, "an empty region");
    row = row_pitch != 0 ? row_pitch : region[0];
    slice = slice_pitch != 0 ? slice_pitch : row * region[1];
    require(row >= region[0], CL_INVALID_VALUE, "a row pitch below the region's width");
    require(slice >= row * region[1], CL_INVALID_VALUE, "a slice pitch below the region's rows");
    offset = at[2] * slice + at[1] * row + at[0];
    end = offset + (region[2] - 1) * slice + (region[1] - 1) * row + region[0];
    with_gaps = std::max((at[2] + region[2]) * slice, (at[2] + region[2] - 1) * slice + (at[1] + region[1]) * row);
  }

  Rows rows(std::byte* base) const { return {base + offset, row, slice}; }

  void inside(const _cl_mem& buffer) const {
    require(end <= buffer.size, CL_INVALID_VALUE, "a rectangle outside the buffer");
    if (control("FAKE_CL_RECTANGLES") == "whole" && with_gaps > buffer.size) fail(CL_INVALID_VALUE);
  }
};

}  // namespace
}  // namespace fake

using namespace fake;

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, std::size_t offset,
                           std::size_t size, void* host, cl_uint count, const cl_event* list, cl_event* event) {
  return routine("clEnqueueReadBuffer", [&] {
    auto& m = buffer_for(queue, buffer);
    check_range(m, offset, size);
    require(host != nullptr, CL_INVALID_VALUE, "no host memory");
    submit({queue, CL_COMMAND_READ_BUFFER, count, list, event, blocking != CL_FALSE}, {&m},
           [&m, offset, size, host] { std::memcpy(host, m.data + offset, size); });
  });
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, std::size_t offset,
                            std::size_t size, const void* host, cl_uint count, const cl_event* list, cl_event* event) {
  return routine("clEnqueueWriteBuffer", [&] {
    auto& m = buffer_for(queue, buffer);
    check_range(m, offset, size);
    require(host != nullptr, CL_INVALID_VALUE, "no host memory");
    const Request request{queue, CL_COMMAND_WRITE_BUFFER, count, list, event, blocking != CL_FALSE};
    submit(request, {&m}, [&m, offset, size, source = host_source(request, host, size)] {
      std::memcpy(m.data + offset, source.get(), size);
    });
  });
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem source, cl_mem target, std::size_t source_offset,
                           std::size_t target_offset, std::size_t size, cl_uint count, const cl_event* list,
                           cl_event* event) {
  return routine("clEnqueueCopyBuffer", [&] {
    auto& from = buffer_for(queue, source);
    auto& to = buffer_for(queue, target);
    check_range(from, source_offset, size);
    check_range(to, target_offset, size);
    const auto a = from.data + source_offset;
    const auto b = to.data + target_offset;
    if (a < b + size && b < a + size) fail(CL_MEM_COPY_OVERLAP);
    submit({queue, CL_COMMAND_COPY_BUFFER, count, list, event}, {&from, &to},
           [a, b, size] { std::memmove(b, a, size); });
  });
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void* pattern, std::size_t pattern_size,
                           std::size_t offset, std::size_t size, cl_uint count, const cl_event* list, cl_event* event) {
  return routine("clEnqueueFillBuffer", [&] {
    auto& m = buffer_for(queue, buffer);
    check_range(m, offset, size);
    check_pattern(pattern, pattern_size, offset, size);
    submit({queue, CL_COMMAND_FILL_BUFFER, count, list, event}, {&m},
           [&m, offset, size, bytes = bytes_of(pattern, pattern_size)] { fill(m.data + offset, size, bytes); });
  });
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                               const std::size_t* buffer_origin, const std::size_t* host_origin,
                               const std::size_t* region, std::size_t buffer_row, std::size_t buffer_slice,
                               std::size_t host_row, std::size_t host_slice, void* host, cl_uint count,
                               const cl_event* list, cl_event* event) {
  return routine("clEnqueueReadBufferRect", [&] {
    auto& m = buffer_for(queue, buffer);
    const Triple size = triple(region);
    const Rect there(buffer_origin, size, buffer_row, buffer_slice);
    const Rect here(host_origin, size, host_row, host_slice);
    there.inside(m);
    require(host != nullptr, CL_INVALID_VALUE, "no host memory");
    submit({queue, CL_COMMAND_READ_BUFFER_RECT, count, list, event, blocking != CL_FALSE}, {&m},
           [&m, size, there, here, host] {
             copy_rows(here.rows(static_cast<std::byte*>(host)), there.rows(m.data), size[0], size[1], size[2]);
           });
  });
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                const std::size_t* buffer_origin, const std::size_t* host_origin,
                                const std::size_t* region, std::size_t buffer_row, std::size_t buffer_slice,
                                std::size_t host_row, std::size_t host_slice, const void* host, cl_uint count,
                                const cl_event* list, cl_event* event) {
  return routine("clEnqueueWriteBufferRect", [&] {
    auto& m = buffer_for(queue, buffer);
    const Triple size = triple(region);
    const Rect there(buffer_origin, size, buffer_row, buffer_slice);
    const Rect here(host_origin, size, host_row, host_slice);
    there.inside(m);
    require(host != nullptr, CL_INVALID_VALUE, "no host memory");
    const Request request{queue, CL_COMMAND_WRITE_BUFFER_RECT, count, list, event, blocking != CL_FALSE};
    submit(request, {&m}, [&m, size, there, here, source = host_source(request, host, here.end)] {
      const auto base = const_cast<std::byte*>(source.get());
      copy_rows(there.rows(m.data), here.rows(base), size[0], size[1], size[2]);
    });
  });
}

cl_int clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem source, cl_mem target, const std::size_t* source_origin,
                               const std::size_t* target_origin, const std::size_t* region, std::size_t source_row,
                               std::size_t source_slice, std::size_t target_row, std::size_t target_slice,
                               cl_uint count, const cl_event* list, cl_event* event) {
  return routine("clEnqueueCopyBufferRect", [&] {
    auto& from = buffer_for(queue, source);
    auto& to = buffer_for(queue, target);
    const Triple size = triple(region);
    const Rect a(source_origin, size, source_row, source_slice);
    const Rect b(target_origin, size, target_row, target_slice);
    a.inside(from);
    b.inside(to);
    submit({queue, CL_COMMAND_COPY_BUFFER_RECT, count, list, event}, {&from, &to},
           [&from, &to, size, a, b] { copy_rows(b.rows(to.data), a.rows(from.data), size[0], size[1], size[2]); });
  });
}

cl_int clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint mem_count, const cl_mem* mems,
                                  cl_mem_migration_flags flags, cl_uint count, const cl_event* list, cl_event* event) {
  return routine("clEnqueueMigrateMemObjects", [&] {
    check(queue, CL_INVALID_COMMAND_QUEUE);
    require(mem_count > 0 && mems != nullptr, CL_INVALID_VALUE, "nothing to migrate");
    constexpr cl_mem_migration_flags known_flags = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    require((flags & ~known_flags) == 0, CL_INVALID_VALUE, "unknown migration flags");
    std::vector<Object*> uses;
    for (cl_uint at = 0; at < mem_count; ++at) uses.push_back(&mem_for(queue, mems[at]));
    store_list(mems, mem_count * sizeof *mems);
    submit({queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, count, list, event}, uses, {});
  });
}
