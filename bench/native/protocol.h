// The line protocol of the benchmark processes: requests on stdin, one line of answer each on stdout.
//
//   device         ->  ok <device name>
//   check          ->  ok null | ok real      whether launches reach a driver
//   run <job> <n>  ->  ok <nanoseconds per unit over n units>
//
// Errors are answered with `error <sentence>`. The process exits at the end of stdin.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bench {

struct Job {
  std::string name;
  std::function<double(long count)> run;
};

struct Service {
  std::function<std::string()> device;
  std::function<bool()> launchesAreReal;
  std::vector<Job> jobs;
};

int serve(const Service& service);

// Wall time in nanoseconds on a monotonic clock.
double now();

// Starts a thread that only sleeps. Call it at the start of main(). glibc's locks and allocator take a shortcut while a
// process has only ever had one thread, which makes the driver look 30 % faster than in Node, a GUI or a server; with
// two threads the comparison is between the wrappers alone.
void startIdleThread();

// Returns the value of an environment variable. Throws if it is not set.
std::string variable(const char* name);

}  // namespace bench
