// Image formats and image creation.
#include <algorithm>

#include "exports.h"
#include "objects/info.h"
#include "objects/loans.h"
#include "objects/memory_object.h"
#include "objects/rectangle.h"

namespace cl {
namespace {

/// Returns the bytes of a pixel, or 0 for an unknown format, with which host memory is refused.
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

/// An image's description, read from eight numbers in the scratch block: channel order, channel type, object type,
/// three sizes (for arrays the last is the number of images), row and slice pitch.
struct Description {
  cl_image_format format{};
  cl_image_desc desc{};
  /// Width, height and depth, as doubles so that too large a number does not overflow.
  double extent[3] = {1, 1, 1};
  double row = 0;
  double slice = 0;

  explicit Description(const double* numbers) {
    for (size_t i = 0; i < 8; ++i) {
      if (!(numbers[i] >= 0 && numbers[i] < 0x1p53)) invalid("expected an image description");
    }
    format.image_channel_order = toUint(numbers[0]);
    format.image_channel_data_type = toUint(numbers[1]);
    desc.image_type = toUint(numbers[2]);
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
        invalid("expected an image type");
    }
  }

  /// Returns the bytes that the driver may access in host memory: complete rows and slices.
  double hostBytes() const {
    const double rowBytes = row != 0 ? row : extent[0] * static_cast<double>(pixelBytes(format));
    const double sliceBytes = slice != 0 ? slice : rowBytes * extent[1];
    return sliceBytes * extent[2];
  }

 private:
  static cl_uint toUint(double number) {
    if (number >= 0x1p32) invalid("expected an image description");
    return static_cast<cl_uint>(number);
  }
};

/// supportedImageFormats(context, flags, type) -> channel order and channel type of each format, alternating
Napi::Value supportedImageFormats(Call& call) {
  const Slot& context = call.slot(0, Kind::Context);
  const auto flags = static_cast<cl_mem_flags>(call.flags(1));
  const cl_mem_object_type type = call.uint32(2);
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

/// createImage(context, flags, host?: typed array, buffer or 0, properties?). The description is in the scratch block.
Napi::Value createImage(Call& call) {
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
  // The array's declared length may be wrong; the driver would read past its end.
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
  if (call.integer(3) != 0) addDependent(call, call.slot(3, Kind::Memory), handle);
  call.environment->handles.peek(handle)->imageOverBuffer = description.desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  return call.result(handle);
}

}  // namespace

void addImageExports(Exports& exports) {
  exports.add({{"supportedImageFormats", function<supportedImageFormats>}, {"createImage", function<createImage>}});
}

}  // namespace cl
