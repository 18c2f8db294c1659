#include "protocol.h"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace bench {

namespace {

std::string answer(const Service& service, const std::string& line) {
  std::istringstream request(line);
  std::string verb;
  request >> verb;
  if (verb == "device") return service.device();
  if (verb == "check") return service.launchesAreReal() ? "real" : "null";
  if (verb != "run") throw std::runtime_error("unknown request: " + line);
  std::string name;
  long count = 0;
  request >> name >> count;
  for (const Job& job : service.jobs)
    if (job.name == name) return std::to_string(job.run(count));
  throw std::runtime_error("unknown job: " + name);
}

}  // namespace

int serve(const Service& service) {
  std::string line;
  while (std::getline(std::cin, line)) {
    try {
      const std::string text = answer(service, line);
      std::cout << "ok " << text << std::endl;
    } catch (const std::exception& problem) {
      std::cout << "error " << problem.what() << std::endl;
    }
  }
  return 0;
}

double now() {
  using namespace std::chrono;
  return duration<double, std::nano>(steady_clock::now().time_since_epoch()).count();
}

void startIdleThread() {
  std::thread([] { std::this_thread::sleep_for(std::chrono::hours(24)); }).detach();
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) throw std::runtime_error(std::string(name) + " is not set");
  return value;
}

}  // namespace bench
