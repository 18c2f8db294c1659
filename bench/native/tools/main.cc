// The C++ baseline of @cl/tools: `tools serve` speaks the line protocol.
#include <exception>
#include <iostream>

#include "jobs.h"

int main() {
  bench::startIdleThread();
  try {
    const bench::tools::Rig rig(bench::variable("CL_BENCH_KERNELS"));
    bench::Service service{
        [&] { return bench::deviceName(rig.device); }, [&] { return bench::tools::launchesAreReal(rig); }, {}};
    for (auto family : {bench::tools::poolJobs, bench::tools::touchJobs})
      for (bench::Job& job : family(rig)) service.jobs.push_back(std::move(job));
    return bench::serve(service);
  } catch (const std::exception& problem) {
    std::cout << "error " << problem.what() << std::endl;
    return 1;
  }
}
