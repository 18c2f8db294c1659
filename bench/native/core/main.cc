// The C++ baseline of @cl/core: `core serve` speaks the line protocol, `core once <job>` does one job and ends.
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>

#include "jobs.h"

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) throw std::runtime_error(std::string(name) + " is not set");
  return value;
}

int serve() {
  bench::core::Rig rig(variable("CL_BENCH_KERNELS"));
  bench::Service service{
      [&] { return bench::deviceName(rig.device); }, [&] { return bench::core::launchesAreReal(rig); }, {}};
  for (auto family : {bench::core::launchJobs, bench::core::transferJobs, bench::core::eventJobs})
    for (bench::Job& job : family(rig)) service.jobs.push_back(std::move(job));
  return bench::serve(service);
}

}  // namespace

/// glibc's locks and allocator take a shortcut while a process has only ever had one thread; the driver then looks 30 %
/// faster than in any program that has a second one, as Node, a GUI or a server have. One idle thread makes the
/// comparison one of wrappers and not of that shortcut.
void leaveSingleThreadedShortcut() {
  std::thread([] { std::this_thread::sleep_for(std::chrono::hours(24)); }).detach();
}

int main(int argc, char** argv) {
  const double start = bench::now();
  leaveSingleThreadedShortcut();
  try {
    const std::string mode = argc > 1 ? argv[1] : "serve";
    if (mode == "serve") return serve();
    const std::string job = argc > 2 ? argv[2] : "";
    std::cout << "ok "
              << std::to_string(
                     bench::core::startJob(job, variable("CL_BENCH_KERNELS"), variable("CL_BENCH_CACHE"), start))
              << std::endl;
    return 0;
  } catch (const std::exception& problem) {
    std::cout << "error " << problem.what() << std::endl;
    return 1;
  }
}
