// Pitches: TypeScript always says how many bytes lie between the rows of host memory, and between its slices; for an
// array of 1-D images its images count as rows. Drivers want some of these numbers to be 0, and the distance of such an
// array's images as the slice pitch: that is translated here.
//
// The pixels of a 1-D image over a buffer are the buffer's bytes, and its copies are made as copies of those: PoCL 3.1
// refuses some commands with such an image and crashes in others.
#include "image.h"

#include <algorithm>

#include "info.h"
#include "lending.h"
#include "map.h"
#include "memory_object.h"
#include "rectangle.h"
#include "transfer.h"

namespace cl {
namespace {

/// Bytes of a pixel; 0 for what is not known here, with which host memory is then refused.
size_t pixelBytes(const cl_image_format& format) {
  switch (format.image_channel_data_type) {
    case CL_UNORM_SHORT_565:
    case CL_UNORM_SHORT_555:
      return 2;
    case CL_UNORM_INT_101010:
    case CL_UNORM_INT_101010_2:
    case CL_UNORM_INT24:
      return 4;
    default:
      break;
  }
  size_t channels = 0;
  switch (format.image_channel_order) {
    case CL_R:
    case CL_A:
    case CL_Rx:
    case CL_INTENSITY:
    case CL_LUMINANCE:
    case CL_DEPTH:
      channels = 1;
      break;
    case CL_RG:
    case CL_RA:
    case CL_RGx:
      channels = 2;
      break;
    case CL_RGB:
    case CL_sRGB:
      channels = 3;
      break;
    case CL_RGBA:
    case CL_BGRA:
    case CL_ARGB:
    case CL_ABGR:
    case CL_RGBx:
    case CL_sRGBx:
    case CL_sRGBA:
    case CL_sBGRA:
      channels = 4;
      break;
    default:
      return 0;
  }
  switch (format.image_channel_data_type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
      return channels;
    case CL_SNORM_INT16:
    case CL_UNORM_INT16:
    case CL_SIGNED_INT16:
    case CL_UNSIGNED_INT16:
    case CL_HALF_FLOAT:
      return 2 * channels;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT:
      return 4 * channels;
    default:
      return 0;
  }
}

/// What an image is made from, as nine numbers in the scratch block: channel order, channel type, type of object,
/// three sizes (the last of an array is the number of its images), row and slice pitch.
struct Description {
  cl_image_format format{};
  cl_image_desc desc{};
  /// Pixels along x, y and z, in doubles: too large a number then stays too large.
  double extent[3] = {1, 1, 1};
  double row = 0;
  double slice = 0;

  explicit Description(const double* numbers) {
    for (size_t i = 0; i < 8; ++i) {
      if (!(numbers[i] >= 0 && numbers[i] < 0x1p53)) invalid("the description of an image was expected");
    }
    format.image_channel_order = word(numbers[0]);
    format.image_channel_data_type = word(numbers[1]);
    desc.image_type = word(numbers[2]);
    std::copy(numbers + 3, numbers + 6, extent);
    row = numbers[6];
    slice = numbers[7];
    desc.image_width = static_cast<size_t>(extent[0]);
    desc.image_row_pitch = static_cast<size_t>(row);
    switch (desc.image_type) {
      case CL_MEM_OBJECT_IMAGE1D:
      case CL_MEM_OBJECT_IMAGE1D_BUFFER:
        desc.image_row_pitch = 0;
        break;
      case CL_MEM_OBJECT_IMAGE1D_ARRAY:
        desc.image_array_size = static_cast<size_t>(extent[1]);
        desc.image_slice_pitch = desc.image_row_pitch;
        break;
      case CL_MEM_OBJECT_IMAGE2D:
        desc.image_height = static_cast<size_t>(extent[1]);
        break;
      case CL_MEM_OBJECT_IMAGE2D_ARRAY:
        desc.image_height = static_cast<size_t>(extent[1]);
        desc.image_array_size = static_cast<size_t>(extent[2]);
        desc.image_slice_pitch = static_cast<size_t>(slice);
        break;
      case CL_MEM_OBJECT_IMAGE3D:
        desc.image_height = static_cast<size_t>(extent[1]);
        desc.image_depth = static_cast<size_t>(extent[2]);
        desc.image_slice_pitch = static_cast<size_t>(slice);
        break;
      default:
        invalid("a type of image was expected");
    }
  }

  /// Bytes that the driver may touch in host memory: whole rows and slices.
  double hostBytes() const {
    const double rowBytes = row != 0 ? row : extent[0] * static_cast<double>(pixelBytes(format));
    const double sliceBytes = slice != 0 ? slice : rowBytes * extent[1];
    return sliceBytes * extent[2];
  }

 private:
  static cl_uint word(double number) {
    if (number >= 0x1p32) invalid("the description of an image was expected");
    return static_cast<cl_uint>(number);
  }
};

/// supportedImageFormats(context, flags, type) -> channel order and type of each, in turn
napi_value supportedImageFormats(Call& call) {
  const Slot& context = call.slot(0, Kind::Context);
  const auto flags = static_cast<cl_mem_flags>(call.flags(1));
  const cl_mem_object_type type = call.word(2);
  const auto& entry = context.runtime->clGetSupportedImageFormats;
  cl_uint count = 0;
  check(entry(context.as<cl_context>(), flags, type, 0, nullptr, &count), entry.name);
  std::vector<cl_image_format> formats(count);
  if (count > 0) check(entry(context.as<cl_context>(), flags, type, count, formats.data(), nullptr), entry.name);
  std::vector<int32_t> numbers;
  for (const cl_image_format& format : formats) {
    numbers.push_back(static_cast<int32_t>(format.image_channel_order));
    numbers.push_back(static_cast<int32_t>(format.image_channel_data_type));
  }
  return call.result(numbers);
}

/// createImage(context, flags, host?: typed array, buffer or 0, properties?); the description is in the scratch block.
napi_value createImage(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  const auto flags = static_cast<cl_mem_flags>(call.flags(1));
  const HostBytes host = call.hostMemory(2, (flags & CL_MEM_USE_HOST_PTR) == 0);
  Description description(call.environment->numbers());
  if (call.integer(3) != 0) {
    const Slot& buffer = call.slot(3, Kind::Memory);
    if (buffer.context != context.object) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "memory", 3};
    description.desc.buffer = buffer.as<cl_mem>();
  }
  const Runtime& runtime = *context.runtime;
  // A typed array may claim another length than it has; the driver would read beyond its end.
  if ((flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0) {
    const double bytes = description.hostBytes();
    if (host.data == nullptr || bytes == 0 || !(bytes <= static_cast<double>(host.bytes)))
      invalid("the host array is shorter than the image", 2);
  }
  std::shared_ptr<void> pin = pinForUse(call, flags, host);
  const auto properties = call.properties<cl_mem_properties>(4);
  cl_int status = CL_SUCCESS;
  cl_mem image = nullptr;
  if (properties.empty()) {
    image = runtime.clCreateImage(context.as<cl_context>(), flags, &description.format, &description.desc, host.data,
                                  &status);
    check(status, "clCreateImage");
  } else {
    image = runtime.clCreateImageWithProperties(context.as<cl_context>(), properties.data(), flags, &description.format,
                                                &description.desc, host.data, &status);
    check(status, "clCreateImageWithProperties");
  }
  const double bytes = description.desc.buffer != nullptr ? 0 : description.hostBytes();
  const Handle handle = addMemory(call, image, runtime, context.object, std::move(pin), static_cast<size_t>(bytes));
  if (call.integer(3) != 0) addPart(call, call.slot(3, Kind::Memory), handle);
  call.environment->handles.peek(handle)->imageOverBuffer = description.desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  return call.result(handle);
}

/// An image of the queue's context.
struct Image {
  Slot slot;
  cl_mem_object_type type;
  size_t elementSize;

  Image(Call& call, size_t i, const Slot& queue) : slot(memory(call, i, queue)) {
    const Runtime& runtime = *slot.runtime;
    type = queryValue<cl_mem_object_type>(
        [&](size_t n, void* p, size_t* need) { return runtime.clGetMemObjectInfo(mem(), CL_MEM_TYPE, n, p, need); },
        "clGetMemObjectInfo");
    if (type == CL_MEM_OBJECT_BUFFER || type == CL_MEM_OBJECT_PIPE)
      throw Failure{"WRONG_KIND", "buffer", CL_SUCCESS, "image", static_cast<int>(i)};
    elementSize = queryValue<size_t>(
        [&](size_t n, void* p, size_t* need) {
          return runtime.clGetImageInfo(mem(), CL_IMAGE_ELEMENT_SIZE, n, p, need);
        },
        "clGetImageInfo");
  }

  cl_mem mem() const { return slot.as<cl_mem>(); }
  bool isOverBuffer() const { return type == CL_MEM_OBJECT_IMAGE1D_BUFFER; }
  /// What a 1-D image over a buffer lies in.
  cl_mem buffer() const {
    return queryValue<cl_mem>(
        [&](size_t n, void* p, size_t* need) {
          return slot.runtime->clGetImageInfo(mem(), CL_IMAGE_BUFFER, n, p, need);
        },
        "clGetImageInfo");
  }
  bool isLayeredRows() const { return type == CL_MEM_OBJECT_IMAGE1D_ARRAY; }
  bool hasRows() const { return type != CL_MEM_OBJECT_IMAGE1D && type != CL_MEM_OBJECT_IMAGE1D_BUFFER; }
  bool hasSlices() const {
    return type == CL_MEM_OBJECT_IMAGE3D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY || isLayeredRows();
  }
};

/// A box of pixels as the driver takes it, and the host memory on its other side.
struct PixelBox {
  const double* numbers;
  Rectangle box;
  size_t row;
  size_t slice;

  PixelBox(Call& call, const Image& image) : numbers(call.environment->numbers()), box(numbers) {
    row = image.hasRows() ? box.secondRow : 0;
    slice = image.isLayeredRows() ? box.secondRow : image.hasSlices() ? box.secondSlice : 0;
  }

  /// Bytes of the host's side, in doubles: too large a number then stays too large.
  double hostBytes(const Image& image) const {
    const double width = numbers[6] * static_cast<double>(image.elementSize);
    const double rows = numbers[11] != 0 ? numbers[11] : width;
    const double slices = numbers[12] != 0 ? numbers[12] : rows * numbers[7];
    return width + (numbers[7] - 1) * rows + (numbers[8] - 1) * slices;
  }
};

/// (queue, image, host, hostOffset, blocking, waitFor?); the box's first side is the image, the second the host.
template <bool Reading>
napi_value transferImage(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Image image(call, 1, queue);
  const size_t offset = call.size(3);
  const bool blocking = call.boolean(4);
  const HostBytes host = call.hostMemory(2, blocking);
  const auto events = call.events(5, queue.context);
  const PixelBox pixels(call, image);
  // A typed array may claim another length than it has.
  if (offset > host.bytes || !(pixels.hostBytes(image) <= static_cast<double>(host.bytes - offset)))
    invalid("the host array is too short", 2);
  WantedEvent event(!blocking);
  const Runtime& runtime = *queue.runtime;
  if constexpr (Reading) {
    check(runtime.clEnqueueReadImage(queue.as<cl_command_queue>(), image.mem(), blocking, pixels.box.first,
                                     pixels.box.region, pixels.row, pixels.slice, host.data + offset, size(events),
                                     data(events), event.address()),
          "clEnqueueReadImage");
  } else {
    check(runtime.clEnqueueWriteImage(queue.as<cl_command_queue>(), image.mem(), blocking, pixels.box.first,
                                      pixels.box.region, pixels.row, pixels.slice, host.data + offset, size(events),
                                      data(events), event.address()),
          "clEnqueueWriteImage");
  }
  return pinned(call, queue, blocking, host, event);
}

/// readImageLanding(queue, image, waitFor?) -> [landing, event]: the box's pixels, rows and slices without gaps.
napi_value readImageLanding(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Image image(call, 1, queue);
  const auto events = call.events(2, queue.context);
  const PixelBox pixels(call, image);
  const double bytes = pixels.hostBytes(image);
  if (!(bytes >= 0 && bytes < 0x1p53)) invalid("the box is too large");
  return landWith(call, queue, static_cast<size_t>(bytes), "clEnqueueReadImage", [&](void* target, cl_event* event) {
    return queue.runtime->clEnqueueReadImage(queue.as<cl_command_queue>(), image.mem(), CL_FALSE, pixels.box.first,
                                             pixels.box.region, pixels.row, pixels.slice, target, size(events),
                                             data(events), event);
  });
}

/// One end of a copy: a buffer from a byte on, or an image from a pixel on. A 1-D image over a buffer is that buffer.
struct CopyEnd {
  cl_mem mem;
  bool isBuffer;
  size_t offset = 0;
  const size_t* origin = nullptr;
  /// Of an image, or the image that the buffer was.
  size_t elementSize = 0;

  CopyEnd(const Slot& buffer, size_t offset_) : mem(buffer.as<cl_mem>()), isBuffer(true), offset(offset_) {}
  CopyEnd(const Image& image, const size_t* origin_)
      : mem(image.isOverBuffer() ? image.buffer() : image.mem()),
        isBuffer(image.isOverBuffer()),
        offset(image.isOverBuffer() ? origin_[0] * image.elementSize : 0),
        origin(origin_),
        elementSize(image.elementSize) {}
};

napi_value enqueueCopy(Call& call, const Slot& queue, const CopyEnd& source, const CopyEnd& target,
                       const Rectangle& box, const std::vector<cl_event>& events) {
  const Runtime& runtime = *queue.runtime;
  const auto q = queue.as<cl_command_queue>();
  WantedEvent event(true);
  if (source.isBuffer && target.isBuffer) {
    const size_t pixels = box.region[0] * box.region[1] * box.region[2];
    check(runtime.clEnqueueCopyBuffer(q, source.mem, target.mem, source.offset, target.offset,
                                      pixels * std::max(source.elementSize, target.elementSize), size(events),
                                      data(events), event.address()),
          "clEnqueueCopyBuffer");
  } else if (target.isBuffer) {
    check(runtime.clEnqueueCopyImageToBuffer(q, source.mem, target.mem, source.origin, box.region, target.offset,
                                             size(events), data(events), event.address()),
          "clEnqueueCopyImageToBuffer");
  } else if (source.isBuffer) {
    check(runtime.clEnqueueCopyBufferToImage(q, source.mem, target.mem, source.offset, target.origin, box.region,
                                             size(events), data(events), event.address()),
          "clEnqueueCopyBufferToImage");
  } else {
    check(runtime.clEnqueueCopyImage(q, source.mem, target.mem, source.origin, target.origin, box.region, size(events),
                                     data(events), event.address()),
          "clEnqueueCopyImage");
  }
  return event.give(call, queue);
}

/// copyImage(queue, source, target, waitFor?); the box's first side is the source.
napi_value copyImage(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Image source(call, 1, queue);
  const Image target(call, 2, queue);
  const auto events = call.events(3, queue.context);
  const Rectangle box(call.environment->numbers());
  return enqueueCopy(call, queue, CopyEnd(source, box.first), CopyEnd(target, box.second), box, events);
}

/// copyImageToBuffer(queue, image, buffer, offset, waitFor?)
napi_value copyImageToBuffer(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Image image(call, 1, queue);
  const Slot buffer = memory(call, 2, queue);
  const size_t offset = call.size(3);
  const auto events = call.events(4, queue.context);
  const Rectangle box(call.environment->numbers());
  return enqueueCopy(call, queue, CopyEnd(image, box.first), CopyEnd(buffer, offset), box, events);
}

/// copyBufferToImage(queue, buffer, image, offset, waitFor?); the box's first side is the image.
napi_value copyBufferToImage(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Slot buffer = memory(call, 1, queue);
  const Image image(call, 2, queue);
  const size_t offset = call.size(3);
  const auto events = call.events(4, queue.context);
  const Rectangle box(call.environment->numbers());
  return enqueueCopy(call, queue, CopyEnd(buffer, offset), CopyEnd(image, box.first), box, events);
}

/// fillImage(queue, image, colour: typed array of 16 bytes, waitFor?); not for images over buffers
napi_value fillImage(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Image image(call, 1, queue);
  const HostBytes colour = call.bytes(2);
  const auto events = call.events(3, queue.context);
  const Rectangle box(call.environment->numbers());
  // Drivers read four values, also where a pixel has fewer.
  if (colour.bytes < 16) invalid("a colour of 16 bytes was expected", 2);
  if (image.isOverBuffer()) invalid("the buffer of a 1-D image was expected", 1);
  WantedEvent event(true);
  check(queue.runtime->clEnqueueFillImage(queue.as<cl_command_queue>(), image.mem(), colour.data, box.first, box.region,
                                          size(events), data(events), event.address()),
        "clEnqueueFillImage");
  return event.give(call, queue);
}

/// mapImage(queue, image, flags, blocking, waitFor?) -> [map, event or 0]; the pitches of rows and slices are then the
/// first numbers of the scratch block.
napi_value mapImage(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Image image(call, 1, queue);
  const auto flags = static_cast<cl_map_flags>(call.flags(2));
  const bool blocking = call.boolean(3);
  const auto events = call.events(4, queue.context);
  const Rectangle box(call.environment->numbers());
  size_t row = 0;
  size_t slice = 0;
  const napi_value result = mapWith(
      call, queue, image.slot, blocking, "clEnqueueMapImage", [&](size_t& bytes, cl_event* event, cl_int* status) {
        void* pointer = queue.runtime->clEnqueueMapImage(
            queue.as<cl_command_queue>(), image.mem(), blocking, flags, box.first, box.region, &row,
            image.hasSlices() ? &slice : nullptr, size(events), data(events), event, status);
        if (image.isLayeredRows()) row = slice;
        // PoCL leaves the pitch of an image over a buffer at 0.
        if (row == 0) row = box.region[0] * image.elementSize;
        bytes = box.region[0] * image.elementSize + (box.region[1] - 1) * row + (box.region[2] - 1) * slice;
        return pointer;
      });
  call.environment->numbers()[0] = static_cast<double>(row);
  call.environment->numbers()[1] = static_cast<double>(slice);
  return result;
}

}  // namespace

void addImageExports(Exports& exports) {
  exports.push_back({"supportedImageFormats", invoke<supportedImageFormats>});
  exports.push_back({"createImage", invoke<createImage>});
  exports.push_back({"readImage", invoke<transferImage<true>>});
  exports.push_back({"writeImage", invoke<transferImage<false>>});
  exports.push_back({"readImageLanding", invoke<readImageLanding>});
  exports.push_back({"copyImage", invoke<copyImage>});
  exports.push_back({"copyImageToBuffer", invoke<copyImageToBuffer>});
  exports.push_back({"copyBufferToImage", invoke<copyBufferToImage>});
  exports.push_back({"fillImage", invoke<fillImage>});
  exports.push_back({"mapImage", invoke<mapImage>});
}

}  // namespace cl
