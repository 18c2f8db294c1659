// Reads, writes, copies and fills of images. Pixels are bytes: no format is converted, except by clEnqueueFillImage.
#include <algorithm>
#include <cmath>

#include "memory.h"

namespace fake {
namespace {

/** Returns the caller's memory as rows, with explicit pitches. */
Rows host_rows(const _cl_mem& image, const Triple& region, std::size_t row_pitch, std::size_t slice_pitch,
               const void* host) {
  require(host != nullptr, CL_INVALID_VALUE, "no host memory");
  const std::size_t width = region[0] * image.pixel;
  const bool layered_rows = image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  std::size_t row = row_pitch != 0 ? row_pitch : width;
  require(row >= width, CL_INVALID_VALUE, "a row pitch below the region's width");
  if (layered_rows && slice_pitch != 0) row = slice_pitch;
  const std::size_t slice = !layered_rows && slice_pitch != 0 ? slice_pitch : row * region[1];
  require(row >= width && slice >= row * region[1], CL_INVALID_VALUE, "a slice pitch below the region's rows");
  return {static_cast<std::byte*>(const_cast<void*>(host)), row, slice};
}

/** Returns an image's rows in a buffer, without padding. */
Rows packed_rows(const _cl_mem& image, const Triple& region, std::byte* first) {
  const std::size_t row = region[0] * image.pixel;
  return {first, row, row * region[1]};
}

template <class T, class From>
void put_channels(std::vector<std::byte>& pixel, const From* color, double scale) {
  for (std::size_t at = 0; at * sizeof(T) < pixel.size(); ++at) {
    const auto value = static_cast<T>(scale == 0 ? static_cast<double>(color[at]) : std::round(color[at] * scale));
    std::memcpy(pixel.data() + at * sizeof(T), &value, sizeof(T));
  }
}

/** Returns a pixel of a color given as four floats, ints or unsigned ints; half-precision channels are zero. */
std::vector<std::byte> pixel_of(const _cl_mem& image, const void* color) {
  std::vector<std::byte> pixel(image.pixel);
  const auto floats = static_cast<const cl_float*>(color);
  switch (image.format.image_channel_data_type) {
    case CL_UNORM_INT8:
      put_channels<cl_uchar>(pixel, floats, 255);
      break;
    case CL_UNORM_INT16:
      put_channels<cl_ushort>(pixel, floats, 65535);
      break;
    case CL_FLOAT:
      put_channels<cl_float>(pixel, floats, 0);
      break;
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
      put_channels<cl_uchar>(pixel, static_cast<const cl_uint*>(color), 0);
      break;
    case CL_SIGNED_INT16:
    case CL_UNSIGNED_INT16:
      put_channels<cl_ushort>(pixel, static_cast<const cl_uint*>(color), 0);
      break;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
      std::memcpy(pixel.data(), color, pixel.size());
      break;
    default:
      break;
  }
  return pixel;
}

}  // namespace
}  // namespace fake

using namespace fake;

cl_int clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking, const std::size_t* origin,
                          const std::size_t* region, std::size_t row_pitch, std::size_t slice_pitch, void* host,
                          cl_uint count, const cl_event* list, cl_event* event) {
  return routine("clEnqueueReadImage", [&] {
    auto& m = image_for(queue, image);
    check_box(m, origin, region);
    const Triple size = triple(region);
    const Rows to = host_rows(m, size, row_pitch, slice_pitch, host);
    submit({queue, CL_COMMAND_READ_IMAGE, count, list, event, blocking != CL_FALSE}, {&m},
           [&m, to, at = triple(origin), size] { copy_rows(to, rows_at(m, at), size[0] * m.pixel, size[1], size[2]); });
  });
}

cl_int clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking, const std::size_t* origin,
                           const std::size_t* region, std::size_t row_pitch, std::size_t slice_pitch, const void* host,
                           cl_uint count, const cl_event* list, cl_event* event) {
  return routine("clEnqueueWriteImage", [&] {
    auto& m = image_for(queue, image);
    check_box(m, origin, region);
    const Triple size = triple(region);
    const Rows from = host_rows(m, size, row_pitch, slice_pitch, host);
    const Request request{queue, CL_COMMAND_WRITE_IMAGE, count, list, event, blocking != CL_FALSE};
    const std::size_t bytes = (size[2] - 1) * from.slice + (size[1] - 1) * from.row + size[0] * m.pixel;
    submit(request, {&m}, [&m, from, at = triple(origin), size, source = host_source(request, from.first, bytes)] {
      const Rows rows{const_cast<std::byte*>(source.get()), from.row, from.slice};
      copy_rows(rows_at(m, at), rows, size[0] * m.pixel, size[1], size[2]);
    });
  });
}

cl_int clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void* color, const std::size_t* origin,
                          const std::size_t* region, cl_uint count, const cl_event* list, cl_event* event) {
  return routine("clEnqueueFillImage", [&] {
    auto& m = image_for(queue, image);
    check_box(m, origin, region);
    require(color != nullptr, CL_INVALID_VALUE, "no color");
    submit({queue, CL_COMMAND_FILL_IMAGE, count, list, event}, {&m},
           [&m, at = triple(origin), size = triple(region), pixel = pixel_of(m, color)] {
             const Rows rows = rows_at(m, at);
             for (std::size_t z = 0; z < size[2]; ++z) {
               for (std::size_t y = 0; y < size[1]; ++y) {
                 fill(rows.first + z * rows.slice + y * rows.row, size[0] * m.pixel, pixel);
               }
             }
           });
  });
}

cl_int clEnqueueCopyImage(cl_command_queue queue, cl_mem source, cl_mem target, const std::size_t* source_origin,
                          const std::size_t* target_origin, const std::size_t* region, cl_uint count,
                          const cl_event* list, cl_event* event) {
  return routine("clEnqueueCopyImage", [&] {
    auto& from = image_for(queue, source);
    auto& to = image_for(queue, target);
    check_box(from, source_origin, region);
    check_box(to, target_origin, region);
    require(std::memcmp(&from.format, &to.format, sizeof from.format) == 0, CL_IMAGE_FORMAT_MISMATCH,
            "images of two formats");
    submit({queue, CL_COMMAND_COPY_IMAGE, count, list, event}, {&from, &to},
           [&from, &to, a = triple(source_origin), b = triple(target_origin), size = triple(region)] {
             copy_rows(rows_at(to, b), rows_at(from, a), size[0] * from.pixel, size[1], size[2]);
           });
  });
}

cl_int clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem image, cl_mem buffer, const std::size_t* origin,
                                  const std::size_t* region, std::size_t offset, cl_uint count, const cl_event* list,
                                  cl_event* event) {
  return routine("clEnqueueCopyImageToBuffer", [&] {
    auto& from = image_for(queue, image);
    auto& to = buffer_for(queue, buffer);
    check_box(from, origin, region);
    const Triple size = triple(region);
    check_range(to, offset, size[0] * size[1] * size[2] * from.pixel);
    submit({queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, count, list, event}, {&from, &to},
           [&from, &to, at = triple(origin), size, offset] {
             copy_rows(packed_rows(from, size, to.data + offset), rows_at(from, at), size[0] * from.pixel, size[1],
                       size[2]);
           });
  });
}

cl_int clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem buffer, cl_mem image, std::size_t offset,
                                  const std::size_t* origin, const std::size_t* region, cl_uint count,
                                  const cl_event* list, cl_event* event) {
  return routine("clEnqueueCopyBufferToImage", [&] {
    auto& from = buffer_for(queue, buffer);
    auto& to = image_for(queue, image);
    check_box(to, origin, region);
    const Triple size = triple(region);
    check_range(from, offset, size[0] * size[1] * size[2] * to.pixel);
    submit({queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, count, list, event}, {&from, &to},
           [&from, &to, at = triple(origin), size, offset] {
             copy_rows(rows_at(to, at), packed_rows(to, size, from.data + offset), size[0] * to.pixel, size[1],
                       size[2]);
           });
  });
}
