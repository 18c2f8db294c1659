// The line protocol of the benchmark children: requests on stdin, one answer line each on stdout.
//
//   device         ->  ok <device name>
//   check          ->  ok null | ok real      did a launch reach a driver?
//   run <job> <n>  ->  ok <nanoseconds per unit over n units>
//
// Anything that goes wrong is answered by `error <sentence>`; the child ends when its stdin does.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

struct Job {
  std::string_view name;
  std::function<double(long count)> run;
};

struct Service {
  std::function<std::string()> device;
  std::function<bool()> launchesAreReal;
  std::vector<Job> jobs;
};

int serve(const Service& service);

// Wall time in nanoseconds on a clock that never steps.
double now();

}  // namespace bench
