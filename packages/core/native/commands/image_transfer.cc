// Commands that transfer pixels.
//
// Pitches: TypeScript always passes both the row and the slice pitch of host memory; the images of a 1-D image array
// count as rows. Drivers require 0 where an image has no rows or slices, and the pitch of a 1-D array's images as the
// slice pitch. PixelBox converts them.
//
// A 1-D image over a buffer is copied as the bytes of its buffer: PoCL 3.1 rejects some commands with such an image and
// crashes in others.
#include "commands/map.h"
#include "commands/transfer.h"
#include "exports.h"
#include "objects/info.h"
#include "objects/memory_object.h"
#include "objects/rectangle.h"

namespace cl {
namespace {

/// An image that belongs to the queue's context.
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
  /// The buffer of a 1-D image over a buffer.
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

/// A box of pixels in the driver's form, with the pitches of the host memory.
struct PixelBox {
  const double* numbers;
  Rectangle box;
  size_t row;
  size_t slice;

  PixelBox(Call& call, const Image& image) : numbers(call.environment->numbers()), box(numbers) {
    row = image.hasRows() ? box.secondRow : 0;
    slice = image.isLayeredRows() ? box.secondRow : image.hasSlices() ? box.secondSlice : 0;
  }

  /// Bytes of host memory, as a double so that too large a number does not overflow.
  double hostBytes(const Image& image) const {
    const double width = numbers[6] * static_cast<double>(image.elementSize);
    const double rows = numbers[11] != 0 ? numbers[11] : width;
    const double slices = numbers[12] != 0 ? numbers[12] : rows * numbers[7];
    return width + (numbers[7] - 1) * rows + (numbers[8] - 1) * slices;
  }
};

/// (queue, image, host, hostOffset, blocking, waitFor?). The box's first side is the image, the second the host.
template <bool Reading>
Napi::Value transferImage(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Image image(call, 1, queue);
  const size_t offset = call.size(3);
  const bool blocking = call.boolean(4);
  const HostBytes host = call.hostMemory(2, blocking);
  const auto events = call.events(5, queue.context);
  const PixelBox pixels(call, image);
  // The array's declared length may be wrong, so the sizes are checked here.
  if (offset > host.bytes || !(pixels.hostBytes(image) <= static_cast<double>(host.bytes - offset)))
    invalid("the host array is too short", 2);
  const HostRange range{host.data + offset, host.bytes - offset};
  OptionalEvent event(!blocking);
  const Runtime& runtime = *queue.runtime;
  if constexpr (Reading) {
    check(runtime.clEnqueueReadImage(queue.as<cl_command_queue>(), image.mem(), blocking, pixels.box.first,
                                     pixels.box.region, pixels.row, pixels.slice, host.data + offset, size(events),
                                     data(events), event.address()),
          "clEnqueueReadImage");
  } else {
    const WriteWaitList waits(call, queue, range, events);
    check(runtime.clEnqueueWriteImage(queue.as<cl_command_queue>(), image.mem(), blocking, pixels.box.first,
                                      pixels.box.region, pixels.row, pixels.slice, host.data + offset,
                                      size(waits.events()), data(waits.events()), event.address()),
          "clEnqueueWriteImage");
  }
  return finishTransfer(call, queue, blocking, host, event, Reading ? range : HostRange{});
}

/// readImageLanding(queue, image, waitFor?) -> [landing, event]: reads the box with tightly packed rows and slices.
Napi::Value readImageLanding(Call& call) {
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

/// Source or target of a copy: a buffer with an offset or an image with an origin. A 1-D image over a buffer is treated
/// as its buffer.
struct CopyEnd {
  cl_mem mem;
  bool isBuffer;
  size_t offset = 0;
  const size_t* origin = nullptr;
  /// Of the image; also set if the buffer stands for an image. 0 for a plain buffer.
  size_t elementSize = 0;

  CopyEnd(const Slot& buffer, size_t offset_) : mem(buffer.as<cl_mem>()), isBuffer(true), offset(offset_) {}
  CopyEnd(const Image& image, const size_t* origin_)
      : mem(image.isOverBuffer() ? image.buffer() : image.mem()),
        isBuffer(image.isOverBuffer()),
        offset(image.isOverBuffer() ? origin_[0] * image.elementSize : 0),
        origin(origin_),
        elementSize(image.elementSize) {}
};

Napi::Value enqueueCopy(Call& call, const Slot& queue, const CopyEnd& source, const CopyEnd& target,
                        const Rectangle& box, const std::vector<cl_event>& events) {
  const Runtime& runtime = *queue.runtime;
  const auto q = queue.as<cl_command_queue>();
  OptionalEvent event(true);
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
  return event.result(call, queue);
}

/// copyImage(queue, source, target, waitFor?). The box's first side is the source.
Napi::Value copyImage(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Image source(call, 1, queue);
  const Image target(call, 2, queue);
  const auto events = call.events(3, queue.context);
  const Rectangle box(call.environment->numbers());
  return enqueueCopy(call, queue, CopyEnd(source, box.first), CopyEnd(target, box.second), box, events);
}

/// copyImageToBuffer(queue, image, buffer, offset, waitFor?)
Napi::Value copyImageToBuffer(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Image image(call, 1, queue);
  const Slot buffer = memory(call, 2, queue);
  const size_t offset = call.size(3);
  const auto events = call.events(4, queue.context);
  const Rectangle box(call.environment->numbers());
  return enqueueCopy(call, queue, CopyEnd(image, box.first), CopyEnd(buffer, offset), box, events);
}

/// copyBufferToImage(queue, buffer, image, offset, waitFor?). The box's first side is the image.
Napi::Value copyBufferToImage(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Slot buffer = memory(call, 1, queue);
  const Image image(call, 2, queue);
  const size_t offset = call.size(3);
  const auto events = call.events(4, queue.context);
  const Rectangle box(call.environment->numbers());
  return enqueueCopy(call, queue, CopyEnd(buffer, offset), CopyEnd(image, box.first), box, events);
}

/// fillImage(queue, image, color: typed array of 16 bytes, waitFor?). Images over buffers are not supported.
Napi::Value fillImage(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Image image(call, 1, queue);
  const HostBytes color = call.bytes(2);
  const auto events = call.events(3, queue.context);
  const Rectangle box(call.environment->numbers());
  // Drivers read four values even if a pixel has fewer.
  if (color.bytes < 16) invalid("expected a color of 16 bytes", 2);
  if (image.isOverBuffer()) invalid("expected the buffer of the 1-D image", 1);
  OptionalEvent event(true);
  check(queue.runtime->clEnqueueFillImage(queue.as<cl_command_queue>(), image.mem(), color.data, box.first, box.region,
                                          size(events), data(events), event.address()),
        "clEnqueueFillImage");
  return event.result(call, queue);
}

/// mapImage(queue, image, flags, blocking, waitFor?) -> [map, event or 0]. Writes the row and the slice pitch to the
/// first two numbers of the scratch block.
Napi::Value mapImage(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Image image(call, 1, queue);
  const auto flags = static_cast<cl_map_flags>(call.flags(2));
  const bool blocking = call.boolean(3);
  const auto events = call.events(4, queue.context);
  const Rectangle box(call.environment->numbers());
  size_t row = 0;
  size_t slice = 0;
  const Napi::Value result = mapWith(
      call, queue, image.slot, blocking, "clEnqueueMapImage", [&](size_t& bytes, cl_event* event, cl_int* status) {
        void* pointer = queue.runtime->clEnqueueMapImage(
            queue.as<cl_command_queue>(), image.mem(), blocking, flags, box.first, box.region, &row,
            image.hasSlices() ? &slice : nullptr, size(events), data(events), event, status);
        if (image.isLayeredRows()) row = slice;
        // PoCL leaves the row pitch of an image over a buffer at 0.
        if (row == 0) row = box.region[0] * image.elementSize;
        bytes = box.region[0] * image.elementSize + (box.region[1] - 1) * row + (box.region[2] - 1) * slice;
        return pointer;
      });
  call.environment->numbers()[0] = static_cast<double>(row);
  call.environment->numbers()[1] = static_cast<double>(slice);
  return result;
}

}  // namespace

void addImageTransferExports(Exports& exports) {
  exports.add({{"readImage", function<transferImage<true>>},
               {"writeImage", function<transferImage<false>>},
               {"readImageLanding", function<readImageLanding>},
               {"copyImage", function<copyImage>},
               {"copyImageToBuffer", function<copyImageToBuffer>},
               {"copyBufferToImage", function<copyBufferToImage>},
               {"fillImage", function<fillImage>},
               {"mapImage", function<mapImage>}});
}

}  // namespace cl
