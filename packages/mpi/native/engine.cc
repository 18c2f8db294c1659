#include "engine.h"

#include <sched.h>

#include <cstdio>
#include <thread>
#include <utility>

namespace cl::mpi {
namespace {

using std::chrono::duration;
using std::chrono::microseconds;

/// How often operations are asked about without a pause, and then with a yield, before each look waits.
constexpr int kSpins = 200;
constexpr int kYields = 1000;
constexpr microseconds kPause{50};

/// Gives the processor to others after some looks in vain. Returns whether it is time for a pause.
bool yields(int looks) {
  if (looks >= kSpins + kYields) return false;
  if (looks >= kSpins) sched_yield();
  return true;
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

Outcome Engine::run(Operation& operation) {
  bool ended = false;
  {
    const Lock lock(*this);
    ended = operation.start();
  }
  for (int looks = 0; !ended; ++looks) {
    if (!yields(looks)) std::this_thread::sleep_for(kPause);
    const Lock lock(*this);
    ended = operation.test();
    // Reading the clock takes longer than a look.
    if (!ended && looks % 1024 == 1023) warnIfSlow(operation, {});
  }
  return operation.outcome();
}

void Engine::call(double id, std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    works_.push_back({id, std::move(work)});
    ++pending_;
    hasArrived_ = true;
  }
  arrived_.notify_one();
}

void Engine::callAndWait(std::function<void()> work, const std::string& warning, double seconds) {
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

void Engine::removeRelayed(uint32_t number, uint64_t turns) {
  const Lock mpi(*this);
  // Destroyed with the lock of MPI, but without that of the state.
  std::unique_ptr<Operation> removed;
  const std::lock_guard lock(mutex_);
  Relayed& relayed = *relayed_.at(number);
  relayed.lastTurn = turns;
  if (relayed.turns >= turns) removed = std::move(relayed.operation);
}

size_t Engine::relayedCount() {
  const std::lock_guard lock(mutex_);
  size_t count = 0;
  for (const auto& relayed : relayed_)
    if (relayed->operation != nullptr) ++count;
  return count;
}

void Engine::beginTurn(void* engine, uint32_t number, int32_t status, void* turn, cl_relay_end end) {
  Engine& self = *static_cast<Engine*>(engine);
  {
    const std::lock_guard lock(self.mutex_);
    self.turns_.push_back({number, status, turn, end});
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
  std::fprintf(stderr, "@cl/mpi: rank %d: %s\n", rank, sentence.c_str());
  std::fflush(stderr);
}

void Engine::abort(const std::string& reason, int code) {
  if (!reason.empty()) say(reason + "; the job ends");
  // MPICH's launcher ends the job before it has passed on what was just printed: once in 20 jobs the reason was
  // missing.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  mpi().abort(mpi().world, code);
}

void Engine::abortNow(const std::string& reason, int code) {
  ++wanted_;
  const std::unique_lock lock(mpi_, std::chrono::seconds(1));
  abort(reason, code);
}

void Engine::loop() {
  int looks = 0;
  for (;;) {
    if (hasArrived_) {
      accept();
      looks = 0;
    }
    if (running_.empty()) {
      // A wait without a limit would require the C++ library of GCC 12.
      std::unique_lock lock(mutex_);
      arrived_.wait_for(lock, std::chrono::hours(1), [this] { return hasArrived_.load(); });
      continue;
    }
    // The JavaScript thread goes first.
    while (wanted_ > 0) sched_yield();
    looks = advance() ? 0 : looks + 1;
    if (yields(looks)) continue;
    // Ends early if something arrives.
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, kPause, [this] { return hasArrived_.load(); });
  }
}

void Engine::accept() {
  std::vector<Running> added;
  std::vector<Turn> turns;
  std::vector<Work> works;
  std::vector<Relayed*> relayed;
  {
    const std::lock_guard lock(mutex_);
    hasArrived_ = false;
    added.swap(added_);
    turns.swap(turns_);
    works.swap(works_);
    for (const Turn& turn : turns) relayed.push_back(relayed_.at(turn.number).get());
  }
  for (Work& work : works) {
    Outcome outcome;
    {
      const std::lock_guard lock(mpi_);
      try {
        work.run();
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
  for (size_t i = 0; i < turns.size(); ++i) {
    const Turn& turn = turns[i];
    Running running{0, nullptr, relayed[i]->operation.get(), relayed[i], turn.turn, turn.end};
    // Other ranks wait for the messages, so the job cannot go on without them.
    if (turn.status < 0) {
      const std::string why = "its memory could not be read (" + std::to_string(turn.status) + ")";
      if (policy.load() == FailurePolicy::Abort) abort(relayed[i]->name + ": " + why, 1);
      turn.end(turn.turn, turn.status);
      countTurn(*relayed[i]);
      continue;
    }
    if (running.operation->start())
      finish(running);
    else
      running_.push_back(std::move(running));
  }
}

bool Engine::advance() {
  const std::lock_guard lock(mpi_);
  bool any = false;
  for (size_t i = 0; i < running_.size();) {
    Running& running = running_[i];
    if (!running.operation->test()) {
      warnIfSlow(*running.operation, running.relayed != nullptr ? running.relayed->name : std::string());
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
  if (!outcome.failure.empty()) {
    const std::string reason = relayed.name + ": " + outcome.failure;
    if (policy.load() == FailurePolicy::Abort)
      abort(reason, 1);
    else
      say(reason);
  }
  countTurn(relayed);
  constexpr int32_t kFailed = -14;  // CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
  running.end(running.turn, outcome.failure.empty() ? 0 : kFailed);
}

void Engine::countTurn(Relayed& relayed) {
  std::unique_ptr<Operation> removed;
  const std::lock_guard lock(mutex_);
  --pending_;
  if (++relayed.turns == relayed.lastTurn) removed = std::move(relayed.operation);
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
  if (operation.warned || limit <= 0 || operation.secondsSinceStart() < limit) return;
  operation.warned = true;
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%g", limit);
  say((name.empty() ? "" : name + ": ") + "has waited " + seconds + " s for a " + operation.describe());
}

}  // namespace cl::mpi
