// The C++ baseline of @cl/launcher: `launcher serve` speaks the line protocol, `launcher once <job> <count>` runs one
// job and exits.
#include <exception>
#include <iostream>
#include <string>

#include "jobs.h"

namespace {

int serve() {
  const bench::launcher::Rig rig(bench::variable("CL_BENCH_KERNELS"));
  bench::Service service{
      [&] { return bench::deviceName(rig.device); }, [&] { return bench::launcher::launchesAreReal(rig); }, {}};
  for (auto family : {bench::launcher::stepJobs, bench::launcher::iterateJobs, bench::launcher::profiledJobs,
                      bench::launcher::chainJobs, bench::launcher::heatJobs, bench::launcher::latticeJobs})
    for (bench::Job& job : family(rig)) service.jobs.push_back(std::move(job));
  return bench::serve(service);
}

}  // namespace

int main(int argc, char** argv) {
  bench::startIdleThread();
  try {
    if (argc < 4) return serve();
    std::cout << "ok "
              << std::to_string(
                     bench::launcher::boundedJob(argv[2], bench::variable("CL_BENCH_KERNELS"), std::stol(argv[3])))
              << std::endl;
    return 0;
  } catch (const std::exception& problem) {
    std::cout << "error " << problem.what() << std::endl;
    return 1;
  }
}
