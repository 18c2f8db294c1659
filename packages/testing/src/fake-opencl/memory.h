// Helpers for buffers, images, transfers and mappings.
#pragma once

#include "commands.h"
#include "objects.h"

namespace fake {

using Triple = std::array<std::size_t, 3>;

/** CL_DEVICE_HANDLE_LIST_KHR, which has two other names in newer headers. */
inline constexpr cl_ulong kDeviceHandleList = 0x2051;

/** Sets the object's bytes: the caller's (CL_MEM_USE_HOST_PTR) or zeroed memory, filled with CL_MEM_COPY_HOST_PTR. */
void attach_bytes(_cl_mem& mem, void* host_ptr);

/** Rejects flags that exclude each other, and host pointers that contradict the flags. */
void check_flags(cl_mem_flags flags, const void* host_ptr);

/** Return a memory object for a command of this queue. */
_cl_mem& mem_for(cl_command_queue queue, cl_mem mem);
_cl_mem& buffer_for(cl_command_queue queue, cl_mem mem);
_cl_mem& image_for(cl_command_queue queue, cl_mem mem);

/** Rejects a range outside the object. */
void check_range(const _cl_mem& mem, std::size_t offset, std::size_t size);

/** Rejects a box of pixels outside the image. */
void check_box(const _cl_mem& image, const std::size_t* origin, const std::size_t* region);

/** Rows of bytes in memory with row and slice pitches. */
struct Rows {
  std::byte* first;
  std::size_t row;
  std::size_t slice;
};

/** Copies `width` bytes of each of `height` rows of `depth` slices. */
void copy_rows(const Rows& to, const Rows& from, std::size_t width, std::size_t height, std::size_t depth);

/** Returns the rows of an image from this pixel on. */
Rows rows_at(const _cl_mem& image, const Triple& origin);

/** Returns three sizes from a pointer, which must not be null. */
Triple triple(const std::size_t* values);

/** Returns the bytes per pixel; fails with CL_IMAGE_FORMAT_NOT_SUPPORTED. */
std::size_t pixel_size(const cl_image_format& format);

/** Repeats a pattern over a range. */
void fill(std::byte* to, std::size_t size, const std::vector<std::byte>& pattern);

/** Rejects patterns whose size is not a power of two up to 128 or does not divide the range. */
void check_pattern(const void* pattern, std::size_t pattern_size, std::size_t offset, std::size_t size);

/** Returns the SVM capabilities of the devices. */
cl_device_svm_capabilities svm_capabilities();
/** Returns whether devices may use the range: it is in a live SVM allocation, or they may use any memory. */
bool is_shared(const void* pointer, std::size_t size);
/** Returns the start of the live SVM allocation that contains the range, or null. */
const void* svm_base(const void* pointer, std::size_t size);

}  // namespace fake
