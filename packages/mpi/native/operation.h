// Operations: what the engine starts, asks about, and ends. All their functions run under the engine's lock.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "commands/relay.h"
#include "library.h"
#include "memory_block.h"

namespace cl::mpi {

/// What became of an operation.
struct Outcome {
  /// A sentence, empty if the operation succeeded.
  std::string failure;
  /// Of a message that was received.
  mpi_arrival arrival{};
};

/// One operation of MPI, which ends some time after it started.
class Operation {
 public:
  virtual ~Operation() = default;
  /// Starts it. Returns whether it has already ended.
  bool start();
  /// Returns whether it has ended, and makes MPI go on with it.
  bool test();
  /// What it does and with whom: "receive 8 bytes from rank 1 with tag 3".
  virtual std::string describe() const = 0;
  /// Releases its persistent requests, before it is destroyed. Returns what failed, or "".
  virtual std::string release() { return {}; }
  /// Tells where a message of a relay's turn is. Called by the JavaScript thread, without the lock.
  virtual void place(uint32_t /*message*/, uint64_t /*turn*/, cl_relay_place& /*place*/) {}

  const Outcome& outcome() const { return outcome_; }
  /// Seconds since the first call after it has started: most operations end sooner than the clock is read.
  double secondsRunning();

  /// Set by the engine when it has warned that the operation takes long.
  bool warned = false;
  /// Of a relay: set by the engine before the start.
  uint64_t turn = 0;

 protected:
  /// Starts the requests. Returns an error of MPI.
  virtual int begin() = 0;
  /// Sets `done` if all requests have ended. Returns an error of MPI.
  virtual int poll(bool& done) = 0;

  Outcome outcome_;
  /// The routine of MPI that was called last, for errors.
  const char* routine_ = "";

 private:
  bool fail(int error);

  std::chrono::steady_clock::time_point started_;
};

/// The kinds of operations that have one request, in the order of src/native.ts.
enum class Kind { Send, Receive, Barrier, Broadcast, Allreduce, Reduce, Gather, Scatter, Allgather, Alltoall };

/// The arguments of an operation with one request. Counts and starts are of elements, one for each rank.
struct Request {
  Kind kind;
  mpi_handle comm;
  int rank = 0;
  int type = MPI_TYPE_UINT8;
  const void* from = nullptr;
  void* to = nullptr;
  int count = 0;
  /// The other rank of a message, the root of a collective operation.
  int peer = 0;
  /// The tag of a message, the reduction of a collective operation.
  int tag = 0;
  std::vector<int> sendCounts, sendStarts, receiveCounts, receiveStarts;
};

/// Bytes of an element.
int sizeOf(int type);

/// An operation with one request. It can be started again when it has ended.
class SingleOperation final : public Operation {
 public:
  explicit SingleOperation(Request request) : request_(std::move(request)) {}
  /// An operation that reads and changes its own memory, which is its only message.
  SingleOperation(Request request, std::unique_ptr<MemoryBlock> memory);
  std::string describe() const override;
  void place(uint32_t message, uint64_t turn, cl_relay_place& place) override;

 protected:
  int begin() override;
  int poll(bool& done) override;

 private:
  Request request_;
  std::unique_ptr<MemoryBlock> memory_;
  mpi_handle handle_ = 0;
};

}  // namespace cl::mpi
