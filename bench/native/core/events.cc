// Events: a callback for each of many launches in flight, and reading the profiling times of one event after another.
//
// The callbacks run on the driver's threads. The job waits for the last one, so the countdown outlives them.
#include <condition_variable>
#include <mutex>

#include "jobs.h"

namespace bench::core {

namespace {

class Countdown {
 public:
  explicit Countdown(long count) : left_(count) {}
  void arrive() {
    const std::lock_guard lock(mutex_);
    if (--left_ == 0) zero_.notify_one();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    zero_.wait(lock, [&] { return left_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable zero_;
  long left_;
};

void CL_CALLBACK arrived(cl_event, cl_int, void* countdown) { static_cast<Countdown*>(countdown)->arrive(); }

// Nanoseconds per launch from the first enqueue to the last callback, including the release of the events.
double callbacks(Rig& rig, long count) {
  static const Kernel kernel = createKernel(rig.program.get(), "scale");
  setArguments(kernel.get(), rig);
  Countdown countdown(count);
  const double start = now();
  for (long i = 0; i < count; ++i) {
    setArguments(kernel.get(), rig);
    cl_event event = nullptr;
    enqueue(rig.queue.get(), kernel.get(), &event);
    check(clSetEventCallback(event, CL_COMPLETE, arrived, &countdown), "clSetEventCallback");
    check(clReleaseEvent(event), "clReleaseEvent");
  }
  check(clFlush(rig.queue.get()), "clFlush");
  countdown.wait();
  const double elapsed = now() - start;
  check(clFinish(rig.queue.get()), "clFinish");
  return elapsed / static_cast<double>(count);
}

std::vector<Event> profiledEvents(const Rig& rig, size_t count) {
  const Queue queue = createQueue(rig.context.get(), rig.device, CL_QUEUE_PROFILING_ENABLE);
  const Kernel kernel = createKernel(rig.program.get(), "scale");
  setArguments(kernel.get(), rig);
  std::vector<Event> events;
  for (size_t i = 0; i < count; ++i) {
    cl_event event = nullptr;
    enqueue(queue.get(), kernel.get(), &event);
    events.emplace_back(event);
  }
  check(clFinish(queue.get()), "clFinish");
  return events;
}

double profiling(Rig& rig, long count) {
  static const std::vector<Event> events = profiledEvents(rig, 1000);
  static std::vector<cl_ulong> times(2 * events.size());
  const double start = now();
  for (long i = 0; i < count; ++i) {
    const size_t at = static_cast<size_t>(i) % events.size();
    cl_ulong* pair = &times[2 * at];
    check(clGetEventProfilingInfo(events[at].get(), CL_PROFILING_COMMAND_START, sizeof *pair, pair, nullptr),
          "clGetEventProfilingInfo");
    check(clGetEventProfilingInfo(events[at].get(), CL_PROFILING_COMMAND_END, sizeof *pair, pair + 1, nullptr),
          "clGetEventProfilingInfo");
  }
  return (now() - start) / static_cast<double>(count);
}

}  // namespace

std::vector<Job> eventJobs(Rig& rig) {
  return {{"promise-per-event", [&](long count) { return callbacks(rig, count); }},
          {"profile-read", [&](long count) { return profiling(rig, count); }}};
}

}  // namespace bench::core
