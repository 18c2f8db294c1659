// The C++ baseline of @cl/array: `array serve` speaks the line protocol.
#include <exception>
#include <iostream>

#include "jobs.h"

int main() {
  using namespace bench::array;
  bench::startIdleThread();
  try {
    Rig rig(bench::variable("CL_BENCH_KERNELS") + "/array/");
    bench::Service service{[&] { return bench::deviceName(rig.device); }, [] { return true; }, {}};
    for (auto family : {elementwiseJobs, reductionJobs, axisJobs, compactJobs, copyJobs, dispatchJobs})
      for (bench::Job& job : family(rig)) service.jobs.push_back(std::move(job));
    return bench::serve(service);
  } catch (const std::exception& problem) {
    std::cout << "error " << problem.what() << std::endl;
    return 1;
  }
}
