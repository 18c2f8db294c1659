// The C++ baseline of @cl/core: `core serve` speaks the line protocol, `core once <job>` runs one job and exits.
#include <exception>
#include <iostream>
#include <string>

#include "jobs.h"

namespace {

int serve() {
  bench::core::Rig rig(bench::variable("CL_BENCH_KERNELS"));
  bench::Service service{
      [&] { return bench::deviceName(rig.device); }, [&] { return bench::core::launchesAreReal(rig); }, {}};
  for (auto family : {bench::core::launchJobs, bench::core::transferJobs, bench::core::eventJobs})
    for (bench::Job& job : family(rig)) service.jobs.push_back(std::move(job));
  return bench::serve(service);
}

}  // namespace

int main(int argc, char** argv) {
  const double start = bench::now();
  bench::startIdleThread();
  try {
    const std::string mode = argc > 1 ? argv[1] : "serve";
    if (mode == "serve") return serve();
    const std::string job = argc > 2 ? argv[2] : "";
    std::cout << "ok "
              << std::to_string(bench::core::startJob(job, bench::variable("CL_BENCH_KERNELS"),
                                                      bench::variable("CL_BENCH_CACHE"), start))
              << std::endl;
    return 0;
  } catch (const std::exception& problem) {
    std::cout << "error " << problem.what() << std::endl;
    return 1;
  }
}
