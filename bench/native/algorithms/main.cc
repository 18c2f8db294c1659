// The C++ baseline of the algorithms: `algorithms serve` speaks the line protocol.
#include <exception>
#include <iostream>

#include "jobs.h"

int main() {
  using namespace bench::algorithms;
  bench::startIdleThread();
  try {
    Rig rig(bench::variable("CL_BENCH_KERNELS") + "/algorithms/");
    bench::Service service{[&] { return bench::deviceName(rig.device); }, [] { return true; }, {}};
    for (auto family : {scanJobs, sortJobs, fourierJobs, productJobs, randomJobs})
      for (bench::Job& job : family(rig)) service.jobs.push_back(std::move(job));
    return bench::serve(service);
  } catch (const std::exception& problem) {
    std::cout << "error " << problem.what() << std::endl;
    return 1;
  }
}
