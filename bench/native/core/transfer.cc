// Blocking transfers of 64 MiB between touched host memory and a touched buffer: page faults are not the subject.
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

double timed(Rig& rig, long count, void (Pair::*transfer)()) {
  static Pair pair(rig);
  const double start = now();
  for (long i = 0; i < count; ++i) (pair.*transfer)();
  return (now() - start) / static_cast<double>(count);
}

}  // namespace

std::vector<Job> transferJobs(Rig& rig) {
  return {{"write-64MiB", [&](long count) { return timed(rig, count, &Pair::write); }},
          {"read-64MiB", [&](long count) { return timed(rig, count, &Pair::read); }}};
}

}  // namespace bench::core
