// Images, their formats, and samplers.
#include <algorithm>

#include "memory.h"

namespace fake {

std::size_t pixel_size(const cl_image_format& format) {
  std::size_t channels = 0;
  switch (format.image_channel_order) {
    case CL_R:
    case CL_A:
    case CL_INTENSITY:
    case CL_LUMINANCE:
    case CL_DEPTH:
      channels = 1;
      break;
    case CL_RG:
    case CL_RA:
      channels = 2;
      break;
    case CL_RGBA:
    case CL_BGRA:
    case CL_ARGB:
    case CL_sRGBA:
      channels = 4;
      break;
    default:
      fail(CL_IMAGE_FORMAT_NOT_SUPPORTED);
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
      return channels * 2;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT:
      return channels * 4;
    default:
      fail(CL_IMAGE_FORMAT_NOT_SUPPORTED);
  }
}

namespace {

/** Returns the width, height and depth of an image in pixels; array layers count as rows or slices. */
Triple extent_of(const cl_image_desc& desc) {
  const auto width = desc.image_width;
  switch (desc.image_type) {
    case CL_MEM_OBJECT_IMAGE1D:
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      return {width, 1, 1};
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
      return {width, desc.image_array_size, 1};
    case CL_MEM_OBJECT_IMAGE2D:
      return {width, desc.image_height, 1};
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
      return {width, desc.image_height, desc.image_array_size};
    case CL_MEM_OBJECT_IMAGE3D:
      return {width, desc.image_height, desc.image_depth};
    default:
      misuse(CL_INVALID_IMAGE_DESCRIPTOR, "an unknown image type");
  }
}

void set_layout(_cl_mem& image, const cl_image_format& format, const cl_image_desc& desc) {
  image.type = desc.image_type;
  image.format = format;
  image.desc = desc;
  image.extent = extent_of(desc);
  image.pixel = pixel_size(format);
  image.row = image.extent[0] * image.pixel;
  image.slice = image.row * image.extent[1];
  image.size = image.slice * image.extent[2];
}

/** Allocates and fills the pixels. Rows are padded only in the caller's memory, which the image may use. */
void attach_pixels(_cl_mem& image, const cl_image_desc& desc, void* host_ptr) {
  const std::size_t row = desc.image_row_pitch != 0 ? desc.image_row_pitch : image.row;
  const bool layered_rows = desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const std::size_t rows_apart = layered_rows && desc.image_slice_pitch != 0 ? desc.image_slice_pitch : row;
  const std::size_t slice =
      !layered_rows && desc.image_slice_pitch != 0 ? desc.image_slice_pitch : rows_apart * image.extent[1];
  require(host_ptr != nullptr || (desc.image_row_pitch == 0 && desc.image_slice_pitch == 0),
          CL_INVALID_IMAGE_DESCRIPTOR, "pitches without a host pointer");
  require(row >= image.row && slice >= rows_apart * image.extent[1], CL_INVALID_IMAGE_DESCRIPTOR, "pitches too small");
  if ((image.flags & CL_MEM_USE_HOST_PTR) != 0) {
    image.row = rows_apart;
    image.slice = slice;
    image.size = slice * image.extent[2];
    return attach_bytes(image, host_ptr);
  }
  const cl_mem_flags flags = image.flags;
  image.flags &= ~static_cast<cl_mem_flags>(CL_MEM_COPY_HOST_PTR);
  attach_bytes(image, nullptr);
  image.flags = flags;
  if (host_ptr == nullptr) return;
  const Rows from{static_cast<std::byte*>(host_ptr), rows_apart, slice};
  copy_rows(rows_at(image, {0, 0, 0}), from, image.extent[0] * image.pixel, image.extent[1], image.extent[2]);
}

/** Makes an image use the bytes of a buffer. */
void share_pixels(_cl_mem& image, _cl_mem& buffer) {
  if (image.desc.image_row_pitch != 0) {
    image.row = image.desc.image_row_pitch;
    image.slice = image.row * image.extent[1];
    image.size = image.slice;
  }
  require(image.size <= buffer.size, CL_INVALID_IMAGE_DESCRIPTOR, "an image larger than its buffer");
  image.parent = &buffer;
  image.data = buffer.data;
  hold(buffer);
}

cl_mem make_image(cl_context context, cl_mem_flags flags, const cl_image_format* format, const cl_image_desc* desc,
                  void* host_ptr, std::vector<cl_mem_properties> properties) {
  auto& c = check(context, CL_INVALID_CONTEXT);
  require(format != nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "no format");
  require(desc != nullptr, CL_INVALID_IMAGE_DESCRIPTOR, "no description");
  check_flags(flags, host_ptr);
  if (desc->buffer != nullptr) check_in(context, desc->buffer, CL_INVALID_IMAGE_DESCRIPTOR);
  const auto image = make<_cl_mem>();
  image->context = context;
  image->flags = flags;
  image->properties = std::move(properties);
  hold(c);
  try {
    set_layout(*image, *format, *desc);
    for (const auto length : image->extent) {
      require(length > 0, CL_INVALID_IMAGE_DESCRIPTOR, "an image of 0 pixels");
      if (length > 65536) fail(CL_INVALID_IMAGE_SIZE);
    }
    if (desc->buffer != nullptr) {
      share_pixels(*image, *desc->buffer);
    } else {
      attach_pixels(*image, *desc, host_ptr);
    }
  } catch (...) {
    release(image, CL_INVALID_MEM_OBJECT);
    throw;
  }
  return image;
}

cl_sampler make_sampler(cl_context context, cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter) {
  auto& c = check(context, CL_INVALID_CONTEXT);
  require(addressing >= CL_ADDRESS_NONE && addressing <= CL_ADDRESS_MIRRORED_REPEAT, CL_INVALID_VALUE,
          "an unknown addressing mode");
  require(filter == CL_FILTER_NEAREST || filter == CL_FILTER_LINEAR, CL_INVALID_VALUE, "an unknown filter mode");
  const auto sampler = make<_cl_sampler>();
  sampler->context = context;
  sampler->normalized = normalized;
  sampler->addressing = addressing;
  sampler->filter = filter;
  hold(c);
  return sampler;
}

}  // namespace

void on_destroy(_cl_sampler& sampler) { unhold(*sampler.context); }

}  // namespace fake

using namespace fake;

cl_mem clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format* format, const cl_image_desc* desc,
                     void* host_ptr, cl_int* errcode_ret) {
  return create_routine("clCreateImage", errcode_ret,
                        [&] { return make_image(context, flags, format, desc, host_ptr, {}); });
}

cl_mem clCreateImageWithProperties(cl_context context, const cl_mem_properties* properties, cl_mem_flags flags,
                                   const cl_image_format* format, const cl_image_desc* desc, void* host_ptr,
                                   cl_int* errcode_ret) {
  return create_routine("clCreateImageWithProperties", errcode_ret, [&] {
    std::vector<cl_mem_properties> list;
    if (properties != nullptr && *properties != 0) fail(CL_INVALID_PROPERTY);
    if (properties != nullptr) list.push_back(0);
    return make_image(context, flags, format, desc, host_ptr, std::move(list));
  });
}

cl_mem clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format* format, std::size_t width,
                       std::size_t height, std::size_t row_pitch, void* host_ptr, cl_int* errcode_ret) {
  return create_routine("clCreateImage2D", errcode_ret, [&] {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = width;
    desc.image_height = height;
    desc.image_row_pitch = row_pitch;
    return make_image(context, flags, format, &desc, host_ptr, {});
  });
}

cl_mem clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format* format, std::size_t width,
                       std::size_t height, std::size_t depth, std::size_t row_pitch, std::size_t slice_pitch,
                       void* host_ptr, cl_int* errcode_ret) {
  return create_routine("clCreateImage3D", errcode_ret, [&] {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE3D;
    desc.image_width = width;
    desc.image_height = height;
    desc.image_depth = depth;
    desc.image_row_pitch = row_pitch;
    desc.image_slice_pitch = slice_pitch;
    return make_image(context, flags, format, &desc, host_ptr, {});
  });
}

cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags, cl_mem_object_type, cl_uint entries,
                                  cl_image_format* formats, cl_uint* count) {
  return routine("clGetSupportedImageFormats", [&] {
    check(context, CL_INVALID_CONTEXT);
    require(formats == nullptr || entries > 0, CL_INVALID_VALUE, "a list of 0 entries");
    constexpr std::array<cl_image_format, 5> supported{{{CL_RGBA, CL_UNORM_INT8},
                                                        {CL_RGBA, CL_UNSIGNED_INT8},
                                                        {CL_RGBA, CL_FLOAT},
                                                        {CL_R, CL_FLOAT},
                                                        {CL_R, CL_UNSIGNED_INT32}}};
    if (formats != nullptr) std::copy_n(supported.begin(), std::min<std::size_t>(entries, supported.size()), formats);
    if (count != nullptr) *count = static_cast<cl_uint>(supported.size());
  });
}

cl_int clGetImageInfo(cl_mem image, cl_image_info name, std::size_t size, void* value, std::size_t* size_ret) {
  return info_routine("clGetImageInfo", size, value, size_ret, [&](Info& out) {
    const auto& m = check(image, CL_INVALID_MEM_OBJECT);
    require(m.type != CL_MEM_OBJECT_BUFFER, CL_INVALID_MEM_OBJECT, "not an image");
    const bool flat = m.extent[2] == 1 && m.type != CL_MEM_OBJECT_IMAGE1D_ARRAY;
    switch (name) {
      case CL_IMAGE_FORMAT:
        return out.put<cl_image_format>(m.format);
      case CL_IMAGE_ELEMENT_SIZE:
        return out.put<std::size_t>(m.pixel);
      case CL_IMAGE_ROW_PITCH:
        return out.put<std::size_t>(m.row);
      case CL_IMAGE_SLICE_PITCH:
        return out.put<std::size_t>(flat ? 0 : m.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? m.row : m.slice);
      case CL_IMAGE_WIDTH:
        return out.put<std::size_t>(m.desc.image_width);
      case CL_IMAGE_HEIGHT:
        return out.put<std::size_t>(m.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 0 : m.desc.image_height);
      case CL_IMAGE_DEPTH:
        return out.put<std::size_t>(m.type == CL_MEM_OBJECT_IMAGE3D ? m.desc.image_depth : 0);
      case CL_IMAGE_ARRAY_SIZE:
        return out.put<std::size_t>(m.desc.image_array_size);
      case CL_IMAGE_BUFFER:
        return out.put<cl_mem>(m.parent);
      case CL_IMAGE_NUM_MIP_LEVELS:
      case CL_IMAGE_NUM_SAMPLES:
        return out.put<cl_uint>(0);
      default:
        fail(CL_INVALID_VALUE);
    }
  });
}

cl_sampler clCreateSampler(cl_context context, cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter,
                           cl_int* errcode_ret) {
  return create_routine("clCreateSampler", errcode_ret,
                        [&] { return make_sampler(context, normalized, addressing, filter); });
}

cl_sampler clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties* properties,
                                         cl_int* errcode_ret) {
  return create_routine("clCreateSamplerWithProperties", errcode_ret, [&] {
    cl_sampler_properties normalized = CL_TRUE;
    cl_sampler_properties addressing = CL_ADDRESS_CLAMP;
    cl_sampler_properties filter = CL_FILTER_NEAREST;
    std::vector<cl_sampler_properties> list;
    for (auto at = properties; at != nullptr && *at != 0; at += 2) {
      if (at[0] == CL_SAMPLER_NORMALIZED_COORDS) normalized = at[1];
      if (at[0] == CL_SAMPLER_ADDRESSING_MODE) addressing = at[1];
      if (at[0] == CL_SAMPLER_FILTER_MODE) filter = at[1];
      if (at[0] < CL_SAMPLER_NORMALIZED_COORDS || at[0] > CL_SAMPLER_FILTER_MODE) fail(CL_INVALID_VALUE);
      list.insert(list.end(), {at[0], at[1]});
    }
    if (properties != nullptr) list.push_back(0);
    const auto sampler = make_sampler(context, static_cast<cl_bool>(normalized),
                                      static_cast<cl_addressing_mode>(addressing), static_cast<cl_filter_mode>(filter));
    sampler->properties = std::move(list);
    return sampler;
  });
}

cl_int clRetainSampler(cl_sampler sampler) {
  return routine("clRetainSampler", [&] { retain(sampler, CL_INVALID_SAMPLER); });
}

cl_int clReleaseSampler(cl_sampler sampler) {
  return release_routine("clReleaseSampler", [&] { release(sampler, CL_INVALID_SAMPLER); });
}

cl_int clGetSamplerInfo(cl_sampler sampler, cl_sampler_info name, std::size_t size, void* value,
                        std::size_t* size_ret) {
  return info_routine("clGetSamplerInfo", size, value, size_ret, [&](Info& out) {
    const auto& s = check(sampler, CL_INVALID_SAMPLER);
    switch (name) {
      case CL_SAMPLER_REFERENCE_COUNT:
        return out.put<cl_uint>(static_cast<cl_uint>(s.refs));
      case CL_SAMPLER_CONTEXT:
        return out.put<cl_context>(s.context);
      case CL_SAMPLER_NORMALIZED_COORDS:
        return out.put<cl_bool>(s.normalized);
      case CL_SAMPLER_ADDRESSING_MODE:
        return out.put<cl_addressing_mode>(s.addressing);
      case CL_SAMPLER_FILTER_MODE:
        return out.put<cl_filter_mode>(s.filter);
      case CL_SAMPLER_PROPERTIES:
        require_version(300);
        return out.list(s.properties);
      default:
        fail(CL_INVALID_VALUE);
    }
  });
}
