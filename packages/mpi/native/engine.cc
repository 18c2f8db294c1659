#include "engine.h"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

namespace cl::mpi {
namespace {

using std::chrono::duration;
using std::chrono::microseconds;
using std::chrono::steady_clock;

/// How often operations are asked about without a pause, and then with a yield, before each look waits.
constexpr int kSpins = 200;
constexpr int kYields = 1000;
constexpr microseconds kPause{50};
/// Processor time of a look, in nanoseconds, that shows that MPI has moved data. Then pauses would slow it down: 64 MiB
/// in pieces of 32 KiB between two ranks took 62 ms with pauses.
constexpr int64_t kMoving = 10'000;
/// Looks of a blocking call each time that it has the lock.
constexpr int kLooksPerLock = 8;

constexpr int32_t kFailed = -14;  // CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST

std::string secondsText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", seconds);
  return text;
}

/// Gives the processor to others after some looks in vain. Returns whether it is time for a pause.
bool yields(int looks) {
  if (looks >= kSpins + kYields) return false;
  if (looks >= kSpins) sched_yield();
  return true;
}

/// Processor time of this thread in nanoseconds.
int64_t processorTime() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return int64_t{1'000'000'000} * time.tv_sec + time.tv_nsec;
}

}  // namespace

Engine& Engine::instance() {
  static auto* const engine = new Engine();
  return *engine;
}

void Engine::start(std::function<void()> settled) {
  onSettled_ = std::move(settled);
  std::thread([this] { loop(); }).detach();
}

void Engine::add(double id, std::unique_ptr<Operation> operation) {
  {
    const std::lock_guard lock(mutex_);
    Operation* const raw = operation.get();
    added_.push_back({id, std::move(operation), raw});
    ++pending_;
    hasArrived_ = true;
  }
  arrived_.notify_one();
}

const Outcome& Engine::run(Operation& operation) {
  bool isStarted = false;
  bool ended = false;
  for (int looks = 0; !ended; ++looks) {
    const bool pauses = !yields(looks);
    if (pauses) std::this_thread::sleep_for(kPause);
    const int64_t before = pauses ? processorTime() : 0;
    const Lock lock(*this);
    if (!std::exchange(isStarted, true)) ended = operation.start();
    for (int i = 0; i < kLooksPerLock && !ended; ++i) ended = operation.test();
    if (!pauses || ended) continue;
    warnIfSlow(operation, {});
    if (processorTime() - before > kMoving) looks = 0;
  }
  return operation.outcome();
}

void Engine::call(double id, std::function<int()> work) {
  {
    const std::lock_guard lock(mutex_);
    works_.push_back({id, std::move(work)});
    ++pending_;
    hasArrived_ = true;
  }
  arrived_.notify_one();
}

void Engine::callAndWait(std::function<int()> work, const std::string& warning, double seconds) {
  std::promise<Outcome> outcome;
  auto future = outcome.get_future();
  {
    const std::lock_guard lock(mutex_);
    works_.push_back({0, std::move(work), &outcome});
    ++pending_;
    hasArrived_ = true;
  }
  arrived_.notify_one();
  if (future.wait_for(duration<double>(seconds)) == std::future_status::timeout) say(warning);
  const Outcome result = future.get();
  if (!result.failure.empty()) throw MpiError(result.failure);
}

uint32_t Engine::addRelayed(std::string name, std::unique_ptr<Operation> operation) {
  const std::lock_guard lock(mutex_);
  auto added = std::make_unique<Relayed>();
  added->name = std::move(name);
  added->operation = std::move(operation);
  relayed_.push_back(std::move(added));
  return static_cast<uint32_t>(relayed_.size() - 1);
}

void Engine::removeRelayed(uint32_t number) {
  {
    const std::lock_guard lock(mutex_);
    Relayed& relayed = *relayed_.at(number);
    if (relayed.hasFailed) return;
    removed_.push_back(&relayed);
    hasArrived_ = true;
  }
  arrived_.notify_one();
}

void Engine::endRelay(void* engine, uint32_t relayed) { static_cast<Engine*>(engine)->removeRelayed(relayed); }

void Engine::placeMessage(void* engine, uint32_t relayed, uint32_t message, uint64_t turn, cl_relay_place* place) {
  Engine& self = *static_cast<Engine*>(engine);
  const std::lock_guard lock(self.mutex_);
  self.relayed_.at(relayed)->operation->place(message, turn, *place);
}

size_t Engine::relayedCount() {
  const Lock mpi(*this);
  const std::lock_guard lock(mutex_);
  size_t count = 0;
  for (const auto& relayed : relayed_)
    if (relayed->operation != nullptr) ++count;
  return count;
}

void Engine::receiveTurn(void* engine, uint32_t relayed, uint64_t number, int32_t status, void* reference,
                         cl_relay_end end) {
  Engine& self = *static_cast<Engine*>(engine);
  {
    const std::lock_guard lock(self.mutex_);
    self.turns_.push_back({relayed, number, status, reference, end});
    ++self.pending_;
    self.hasArrived_ = true;
  }
  self.arrived_.notify_one();
}

std::vector<Settled> Engine::takeSettled() {
  const std::lock_guard lock(mutex_);
  return std::exchange(settled_, {});
}

size_t Engine::pending() {
  const std::lock_guard lock(mutex_);
  return pending_;
}

std::string Engine::describePending() {
  const Lock lock(*this);
  if (!running_.empty()) return running_.front().operation->describe();
  // What the engine has not accepted yet.
  const std::lock_guard state(mutex_);
  return added_.empty() ? "call of MPI" : added_.front().operation->describe();
}

void Engine::say(const std::string& sentence) const {
  const std::string who = rank < 0 ? "" : "rank " + std::to_string(rank) + ": ";
  std::fprintf(stderr, "@cl/mpi: %s%s\n", who.c_str(), sentence.c_str());
  std::fflush(stderr);
}

void Engine::abort(const std::string& reason, int code) {
  if (!reason.empty()) say(reason + "; the job ends");
  // MPICH's launcher ends the job before it has passed on what was just printed: once in 20 jobs the reason was
  // missing.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  mpi().abort(mpi().world, code);
  // Only if MPI_Abort has failed. The launcher ends the other ranks when it sees the code.
  std::_Exit(code != 0 ? code : 1);
}

void Engine::abortNow(const std::string& reason, int code) {
  ++wanted_;
  const std::unique_lock lock(mpi_, std::chrono::seconds(1));
  abort(reason, code);
}

void Engine::waitForLock() {
  ++wanted_;
  const double limit = std::min(stallSeconds.load(), 1e6);
  if (limit <= 0 || !mpi_.try_lock_for(duration<double>(limit))) {
    if (limit > 0)
      say("has waited " + secondsText(limit) + " s for a call that waits for other ranks, such as split()");
    mpi_.lock();
  }
  --wanted_;
}

void Engine::loop() {
  int looks = 0;
  // Counts on when operations end, unlike `looks`, so that busy ranks look at the clock, too.
  unsigned total = 0;
  for (;;) {
    if (hasArrived_) {
      accept();
      looks = 0;
    }
    if (running_.empty()) {
      std::unique_lock lock(mutex_);
      // A wait without a limit would need a newer libstdc++ than Node does.
      arrived_.wait_for(lock, std::chrono::hours(1), [this] { return hasArrived_.load(); });
      continue;
    }
    // The JavaScript thread goes first.
    while (wanted_ > 0) sched_yield();
    const bool pauses = !yields(looks);
    const int64_t before = pauses ? processorTime() : 0;
    looks = advance(pauses || ++total % 1024 == 0) ? 0 : looks + 1;
    if (!pauses) continue;
    if (processorTime() - before > kMoving) {
      looks = 0;
      continue;
    }
    // Ends early if something arrives.
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, kPause, [this] { return hasArrived_.load(); });
  }
}

void Engine::accept() {
  std::vector<Running> added;
  std::vector<Turn> turns;
  std::vector<Work> works;
  std::vector<Relayed*> removed;
  std::vector<Relayed*> relayed;
  {
    const std::lock_guard lock(mutex_);
    hasArrived_ = false;
    added.swap(added_);
    turns.swap(turns_);
    works.swap(works_);
    removed.swap(removed_);
    for (const Turn& turn : turns) relayed.push_back(relayed_.at(turn.relayed).get());
  }
  for (Relayed* const relayed : removed) release(*relayed);
  for (Work& work : works) {
    Outcome outcome;
    {
      const std::lock_guard lock(mpi_);
      try {
        outcome.arrival.source = work.run();
      } catch (const std::exception& error) {
        outcome.failure = error.what();
      }
    }
    if (work.outcome == nullptr) {
      settle(work.id, std::move(outcome));
      continue;
    }
    {
      const std::lock_guard lock(mutex_);
      --pending_;
    }
    work.outcome->set_value(std::move(outcome));
  }
  const std::lock_guard lock(mpi_);
  for (Running& running : added) running_.push_back(std::move(running));
  for (size_t i = 0; i < turns.size(); ++i) beginTurn(*relayed[i], turns[i]);
}

void Engine::release(Relayed& relayed) {
  const std::lock_guard lock(mpi_);
  // Once, though JavaScript may release again.
  if (hasEnded_ || relayed.operation == nullptr) return;
  const std::string failure = relayed.operation->release();
  relayed.operation.reset();
  if (!failure.empty()) say(relayed.name + ": " + failure);
}

void Engine::beginTurn(Relayed& relayed, const Turn& turn) {
  std::string why;
  if (turn.status < 0) why = "its memory could not be read (" + std::to_string(turn.status) + ")";
  if (hasEnded_) why = "MPI has ended; finish the queue before";
  if (!why.empty()) {
    // Other ranks wait for the messages, so the job cannot go on without them.
    report(relayed.name + ": " + why);
    {
      const std::lock_guard lock(mutex_);
      --pending_;
    }
    turn.end(turn.reference, turn.status < 0 ? turn.status : kFailed);
    return;
  }
  Running running{0, nullptr, relayed.operation.get(), &relayed, turn.reference, turn.end};
  running.operation->turn = turn.number;
  if (running.operation->start())
    finish(running);
  else
    running_.push_back(std::move(running));
}

bool Engine::advance(bool watches) {
  const std::lock_guard lock(mpi_);
  bool any = false;
  for (size_t i = 0; i < running_.size();) {
    Running& running = running_[i];
    if (!running.operation->test()) {
      if (watches) warnIfSlow(*running.operation, running.relayed != nullptr ? running.relayed->name : std::string());
      ++i;
      continue;
    }
    any = true;
    Running ended = std::move(running);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    finish(ended);
  }
  return any;
}

void Engine::finish(Running& running) {
  Outcome outcome = running.operation->outcome();
  if (running.relayed == nullptr) {
    settle(running.id, std::move(outcome));
    return;
  }
  Relayed& relayed = *running.relayed;
  const bool hasFailed = !outcome.failure.empty();
  if (hasFailed) report(relayed.name + ": " + outcome.failure);
  {
    const std::lock_guard lock(mutex_);
    relayed.hasFailed = relayed.hasFailed || hasFailed;
    --pending_;
  }
  running.end(running.reference, hasFailed ? kFailed : 0);
}

void Engine::report(const std::string& reason) {
  if (policy.load() == FailurePolicy::Abort && !hasEnded_) abort(reason, 1);
  say(reason);
}

int Engine::finalize() {
  hasEnded_ = true;
  check(mpi().finalize(), "MPI_Finalize");
  return 0;
}

void Engine::settle(double id, Outcome outcome) {
  {
    const std::lock_guard lock(mutex_);
    --pending_;
    settled_.push_back({id, std::move(outcome)});
  }
  onSettled_();
}

void Engine::warnIfSlow(Operation& operation, const std::string& name) {
  const double limit = stallSeconds.load();
  if (operation.warned || limit <= 0 || operation.secondsRunning() < limit) return;
  operation.warned = true;
  say((name.empty() ? "" : name + ": ") + "has waited " + secondsText(limit) + " s for a " + operation.describe());
}

}  // namespace cl::mpi
