#include "operation.h"

namespace cl::mpi {

bool Operation::start() {
  started_ = {};
  warned = false;
  outcome_ = {};
  const int error = begin();
  return error != 0 ? fail(error) : test();
}

bool Operation::test() {
  bool done = false;
  const int error = poll(done);
  if (error != 0) return fail(error);
  return done || !outcome_.failure.empty();
}

bool Operation::fail(int error) {
  outcome_.failure = mpi().error_is_truncation(error) != 0 ? "the message is longer than its memory"
                                                           : std::string(routine_) + ": " + textOf(error);
  return true;
}

double Operation::secondsRunning() {
  const auto now = std::chrono::steady_clock::now();
  if (started_ == std::chrono::steady_clock::time_point{}) started_ = now;
  return std::chrono::duration<double>(now - started_).count();
}

int sizeOf(int type) {
  constexpr int sizes[MPI_TYPE_COUNT] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 8, 16};
  return sizes[type];
}

SingleOperation::SingleOperation(Request request, std::unique_ptr<MemoryBlock> memory)
    : request_(std::move(request)), memory_(std::move(memory)) {
  request_.from = memory_->data();
  request_.to = memory_->data();
}

void SingleOperation::place(uint32_t /*message*/, uint64_t /*turn*/, cl_relay_place& place) {
  if (memory_ != nullptr) place = {memory_->data(), memory_->bytes(), memory_->data(), memory_->bytes()};
}

int SingleOperation::begin() {
  const mpi_table& table = mpi();
  const Request& r = request_;
  const int* const sendCounts = r.sendCounts.data();
  const int* const sendStarts = r.sendStarts.data();
  const int* const receiveCounts = r.receiveCounts.data();
  const int* const receiveStarts = r.receiveStarts.data();
  handle_ = table.no_request;
  constexpr const char* routines[] = {"MPI_Isend",       "MPI_Irecv",     "MPI_Ibarrier", "MPI_Ibcast",
                                      "MPI_Iallreduce",  "MPI_Ireduce",   "MPI_Igatherv", "MPI_Iscatterv",
                                      "MPI_Iallgatherv", "MPI_Ialltoallv"};
  routine_ = routines[static_cast<int>(r.kind)];
  switch (r.kind) {
    case Kind::Send:
      return table.isend(r.from, r.count, r.type, r.peer, r.tag, r.comm, &handle_);
    case Kind::Receive:
      return table.irecv(r.to, r.count, r.type, r.peer, r.tag, r.comm, &handle_);
    case Kind::Barrier:
      return table.ibarrier(r.comm, &handle_);
    case Kind::Broadcast:
      return table.ibcast(r.to, r.count, r.type, r.peer, r.comm, &handle_);
    case Kind::Allreduce:
      return table.iallreduce(r.from, r.to, r.count, r.type, r.tag, r.comm, &handle_);
    case Kind::Reduce:
      return table.ireduce(r.from, r.to, r.count, r.type, r.tag, r.peer, r.rank == r.peer, r.comm, &handle_);
    case Kind::Gather:
      return table.igatherv(r.from, r.count, r.to, receiveCounts, receiveStarts, r.type, r.peer, r.comm, &handle_);
    case Kind::Scatter:
      return table.iscatterv(r.from, sendCounts, sendStarts, r.to, r.count, r.type, r.peer, r.comm, &handle_);
    case Kind::Allgather:
      return table.iallgatherv(r.from, r.count, r.to, receiveCounts, receiveStarts, r.type, r.comm, &handle_);
    case Kind::Alltoall:
      return table.ialltoallv(r.from, sendCounts, sendStarts, r.to, receiveCounts, receiveStarts, r.type, r.comm,
                              &handle_);
  }
  return 0;
}

int SingleOperation::poll(bool& done) {
  int flag = 0;
  routine_ = "MPI_Test";
  const int error = mpi().test(&handle_, &flag, &outcome_.arrival);
  done = flag != 0;
  if (!done || error != 0 || request_.kind != Kind::Receive) return error;
  const int64_t expected = static_cast<int64_t>(request_.count) * sizeOf(request_.type);
  if (outcome_.arrival.bytes != expected) {
    outcome_.failure = "the message has " + std::to_string(outcome_.arrival.bytes) + " bytes, and its memory " +
                       std::to_string(expected);
  }
  return 0;
}

std::string SingleOperation::describe() const {
  const Request& r = request_;
  const std::string bytes = std::to_string(static_cast<int64_t>(r.count) * sizeOf(r.type)) + " bytes";
  const std::string peer = r.peer == mpi().any_source ? "any rank" : "rank " + std::to_string(r.peer);
  const std::string tag = r.tag == mpi().any_tag ? "any tag" : "tag " + std::to_string(r.tag);
  switch (r.kind) {
    case Kind::Send:
      return "send of " + bytes + " to " + peer + " with " + tag;
    case Kind::Receive:
      return "receive of " + bytes + " from " + peer + " with " + tag;
    case Kind::Barrier:
      return "barrier";
    case Kind::Broadcast:
      return "broadcast of " + bytes + " from " + peer;
    case Kind::Allreduce:
      return "allreduce of " + bytes;
    case Kind::Reduce:
      return "reduce of " + bytes + " to " + peer;
    case Kind::Gather:
      return "gather to " + peer;
    case Kind::Scatter:
      return "scatter from " + peer;
    case Kind::Allgather:
      return "allgather";
    case Kind::Alltoall:
      return "alltoall";
  }
  return {};
}

}  // namespace cl::mpi
