// A loop that only launches, without regard to the driver, which keeps every command until it has run.
#include <fstream>
#include <stdexcept>

#include "jobs.h"

namespace bench::launcher {

namespace {

// Peak resident KiB since the last resetPeak().
double peak() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double size = 0;
    if (word == "VmHWM:" && status >> size) return size;
  }
  throw std::runtime_error("/proc/self/status has no VmHWM");
}

void resetPeak() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  if (!file) throw std::runtime_error("cannot write /proc/self/clear_refs");
}

void launch(const Rig& rig, long count) {
  for (long i = 0; i < count; ++i) enqueue(rig.queue.get(), rig.kernels.front().get());
  check(clFinish(rig.queue.get()), "clFinish");
}

}  // namespace

double boundedJob(const std::string& name, const std::string& kernels, long count) {
  const Rig rig(kernels);
  launch(rig, 500);
  resetPeak();
  const double before = peak();
  const double start = now();
  launch(rig, count);
  const double elapsed = now() - start;
  if (name == "bounded-1e6") return elapsed / static_cast<double>(count);
  if (name == "bounded-1e6-growth") return peak() - before;
  throw std::runtime_error("unknown job: " + name);
}

}  // namespace bench::launcher
