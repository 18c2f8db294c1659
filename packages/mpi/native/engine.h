// The engine: one thread that makes MPI go on with all operations that have not ended.
//
// MPI only moves data during its calls. So while operations run the engine asks about them again and again, at first
// without a pause, then with ever longer ones: four ranks on four cores that asked without a pause took 465 to 1750 µs
// for a step that takes 240 µs with pauses. While none runs it sleeps.
//
// MPI is called by the engine and by the JavaScript thread, one at a time (MPI_THREAD_SERIALIZED): lock() before any
// call. The JavaScript thread goes first.
//
// The engine is leaked on purpose: at exit its thread may wait for a condition variable, which must not be destroyed.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "commands/relay.h"
#include "operation.h"

namespace cl::mpi {

/// What the engine tells JavaScript when an operation has ended.
struct Settled {
  double id;
  Outcome outcome;
};

/// What happens when an operation in a queue fails, which no promise reports.
enum class FailurePolicy { Abort, Report };

class Engine {
 public:
  /// Holds the lock for calls of MPI by the JavaScript thread.
  class Lock {
   public:
    explicit Lock(Engine& engine) : engine_(engine) {
      if (!engine_.mpi_.try_lock()) engine_.waitForLock();
    }
    ~Lock() { engine_.mpi_.unlock(); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    Engine& engine_;
  };

  /// The engine of this process.
  static Engine& instance();

  /// Starts the thread. `settled` is called on it when operations with an id have ended.
  void start(std::function<void()> settled);
  /// Takes an operation that was started, and settles its id when it has ended.
  void add(double id, std::unique_ptr<Operation> operation);
  /// Runs an operation that was not started, to its end, on the calling thread.
  const Outcome& run(Operation& operation);
  /// Runs a call of MPI that may block, on the engine's thread, and settles its id with the number that it returns, as
  /// the source of a message.
  void call(double id, std::function<int()> work);
  /// Like call(), but waits, and prints the warning after some seconds. Throws what the work throws.
  void callAndWait(std::function<int()> work, const std::string& warning, double seconds);
  /// Ends MPI. Called as work; nothing of MPI is called afterwards.
  int finalize();

  /// Adds an operation that each turn of a relay runs, and returns its number.
  uint32_t addRelayed(std::string name, std::unique_ptr<Operation> operation);
  /// Removes it, when its relay has no turn left. One that has failed is kept, because its requests may still use its
  /// memory.
  void removeRelayed(uint32_t number);
  /// What relays are created with.
  const cl_relay_receiver& receiver() const { return receiver_; }
  /// Number of operations that were added and not removed.
  size_t relayedCount();

  /// Takes what has ended since the last call.
  std::vector<Settled> takeSettled();
  /// Number of operations that have not ended, relays included.
  size_t pending();
  /// Describes one of them, for messages.
  std::string describePending();

  /// Seconds after which a message says that an operation takes long; 0 for never.
  std::atomic<double> stallSeconds{30};
  std::atomic<FailurePolicy> policy{FailurePolicy::Abort};
  /// Of this process; negative until MPI has started.
  std::atomic<int> rank{-1};

  /// Prints a sentence on stderr, preceded by the rank, even if JavaScript is blocked.
  void say(const std::string& sentence) const;
  /// Prints the reason and ends all ranks. Call it with the lock.
  [[noreturn]] void abort(const std::string& reason, int code);
  /// Like abort(), without the lock. If MPI is busy for a second, such as with a call that waits for other ranks, it is
  /// called all the same.
  [[noreturn]] void abortNow(const std::string& reason, int code);

 private:
  struct Relayed {
    std::string name;
    std::unique_ptr<Operation> operation;
    bool hasFailed = false;
  };
  struct Running {
    double id = 0;
    std::unique_ptr<Operation> own;
    Operation* operation;
    /// Of relays.
    Relayed* relayed = nullptr;
    void* reference = nullptr;
    cl_relay_end end = nullptr;
  };
  struct Turn {
    uint32_t relayed;
    uint64_t number;
    int32_t status;
    void* reference;
    cl_relay_end end;
  };
  struct Work {
    double id;
    std::function<int()> run;
    /// Set to the outcome instead of settling the id, if somebody waits.
    std::promise<Outcome>* outcome = nullptr;
  };

  /// What relays call; see relay.h.
  static void placeMessage(void* engine, uint32_t relayed, uint32_t message, uint64_t turn, cl_relay_place* place);
  static void receiveTurn(void* engine, uint32_t relayed, uint64_t number, int32_t status, void* reference,
                          cl_relay_end end);
  static void endRelay(void* engine, uint32_t relayed);
  void waitForLock();
  void loop();
  void accept();
  void release(Relayed& relayed);
  void beginTurn(Relayed& relayed, const Turn& turn);
  /// Asks about all running operations, and looks at the clock if `watches`. Returns whether one has ended.
  bool advance(bool watches);
  void finish(Running& running);
  /// Reports a failure in a queue, as the policy says.
  void report(const std::string& reason);
  void settle(double id, Outcome outcome);
  void warnIfSlow(Operation& operation, const std::string& name);

  /// Guards everything that other threads hand over, and `relayed_`.
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<Running> added_;
  std::vector<Turn> turns_;
  std::vector<Work> works_;
  std::vector<Relayed*> removed_;
  std::vector<Settled> settled_;
  std::vector<std::unique_ptr<Relayed>> relayed_;
  size_t pending_ = 0;
  std::function<void()> onSettled_;

  /// Guards MPI, and `running_` and `hasEnded_`, which are changed by the engine's thread only.
  std::timed_mutex mpi_;
  std::atomic<int> wanted_{0};
  /// Whether something was handed over, which the thread looks at without a lock.
  std::atomic<bool> hasArrived_{false};
  std::vector<Running> running_;
  bool hasEnded_ = false;
  cl_relay_receiver receiver_{CL_RELAY_VERSION, placeMessage, receiveTurn, endRelay, this};
};

}  // namespace cl::mpi
