// Blocking transfers of 64 MiB between host memory and a buffer or image. All memory has been touched, so the timings
// include no page faults.
#include <cstring>

#include "jobs.h"

namespace bench::core {

namespace {

constexpr size_t bytes = size_t{64} << 20;

struct Pair {
  explicit Pair(const Rig& rig)
      : host(bytes / sizeof(float), 1.0F), buffer(createBuffer(rig.context.get(), bytes)), queue(rig.queue.get()) {
    write();
    read();
  }
  void write() {
    check(clEnqueueWriteBuffer(queue, buffer.get(), CL_TRUE, 0, bytes, host.data(), 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
  }
  void read() {
    check(clEnqueueReadBuffer(queue, buffer.get(), CL_TRUE, 0, bytes, host.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
  }

  std::vector<float> host;
  Buffer buffer;
  cl_command_queue queue;
};

// The same with pinned host memory: a second buffer, allocated with CL_MEM_ALLOC_HOST_PTR, that stays mapped.
struct PinnedPair {
  explicit PinnedPair(const Rig& rig) : buffer(createBuffer(rig.context.get(), bytes)), queue(rig.queue.get()) {
    cl_int status = CL_SUCCESS;
    pinned.reset(clCreateBuffer(rig.context.get(), CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &status));
    check(status, "clCreateBuffer");
    host = clEnqueueMapBuffer(queue, pinned.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, nullptr, nullptr,
                              &status);
    check(status, "clEnqueueMapBuffer");
    std::memset(host, 1, bytes);
    write();
    read();
  }
  void write() {
    check(clEnqueueWriteBuffer(queue, buffer.get(), CL_TRUE, 0, bytes, host, 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
  }
  void read() {
    check(clEnqueueReadBuffer(queue, buffer.get(), CL_TRUE, 0, bytes, host, 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
  }

  Buffer buffer;
  Buffer pinned;
  void* host = nullptr;
  cl_command_queue queue;
};

// The middle half of each row of 4096 x 4096 floats, packed into host memory.
struct Middle {
  explicit Middle(const Rig& rig)
      : host(bytes / 2 / sizeof(float), 1.0F), buffer(createBuffer(rig.context.get(), bytes)), queue(rig.queue.get()) {
    // Untouched pages all map to one page of zeros, which is faster to read than real memory.
    const std::vector<float> ones(bytes / sizeof(float), 1.0F);
    check(clEnqueueWriteBuffer(queue, buffer.get(), CL_TRUE, 0, bytes, ones.data(), 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
    read();
  }
  void read() {
    constexpr size_t row = 4096 * sizeof(float);
    const size_t from[3] = {row / 4, 0, 0};
    const size_t to[3] = {0, 0, 0};
    const size_t region[3] = {row / 2, 4096, 1};
    check(clEnqueueReadBufferRect(queue, buffer.get(), CL_TRUE, from, to, region, row, 0, row / 2, 0, host.data(), 0,
                                  nullptr, nullptr),
          "clEnqueueReadBufferRect");
  }

  std::vector<float> host;
  Buffer buffer;
  cl_command_queue queue;
};

// 2048 x 2048 pixels of four floats.
struct Picture {
  explicit Picture(const Rig& rig) : host(bytes / sizeof(float), 1.0F), queue(rig.queue.get()) {
    const cl_image_format format{CL_RGBA, CL_FLOAT};
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = side;
    shape.image_height = side;
    cl_int status = CL_SUCCESS;
    image.reset(clCreateImage(rig.context.get(), CL_MEM_READ_WRITE, &format, &shape, nullptr, &status));
    check(status, "clCreateImage");
    write();
    read();
  }
  void write() {
    check(clEnqueueWriteImage(queue, image.get(), CL_TRUE, origin, region, 0, 0, host.data(), 0, nullptr, nullptr),
          "clEnqueueWriteImage");
  }
  void read() {
    check(clEnqueueReadImage(queue, image.get(), CL_TRUE, origin, region, 0, 0, host.data(), 0, nullptr, nullptr),
          "clEnqueueReadImage");
  }

  static constexpr size_t side = 2048;
  const size_t origin[3] = {0, 0, 0};
  const size_t region[3] = {side, side, 1};
  std::vector<float> host;
  Buffer image;
  cl_command_queue queue;
};

template <typename Objects>
Job timed(Rig& rig, const char* name, void (Objects::*transfer)()) {
  return {name, [&rig, transfer](long count) {
            static Objects objects(rig);
            const double start = now();
            for (long i = 0; i < count; ++i) (objects.*transfer)();
            return (now() - start) / static_cast<double>(count);
          }};
}

}  // namespace

std::vector<Job> transferJobs(Rig& rig) {
  return {timed(rig, "write-64MiB", &Pair::write),
          timed(rig, "read-64MiB", &Pair::read),
          timed(rig, "write-64MiB-pinned", &PinnedPair::write),
          timed(rig, "read-64MiB-pinned", &PinnedPair::read),
          timed(rig, "strided-read", &Middle::read),
          timed(rig, "image-write", &Picture::write),
          timed(rig, "image-read", &Picture::read)};
}

}  // namespace bench::core
