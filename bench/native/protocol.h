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

// glibc's locks and allocator take a shortcut while a process has only ever had one thread; the driver then looks 30 %
// faster than in any program that has a second one, as Node, a GUI or a server have. One idle thread makes the
// comparison one of wrappers and not of that shortcut. For the start of each main().
void leaveSingleThreadedShortcut();

// A variable of the environment that must be there.
std::string variable(const char* name);

}  // namespace bench
