// Exchanges: messages that are sent and received over and over, by persistent requests.
//
// Ranks of the same computer do not pass messages through MPI, which would copy each one once or twice. The queue of
// the sender reads into memory that the receiver has opened, and the queue of the receiver writes from there. MPI only
// carries a notice, the number of the turn.
//
// How two ranks come to that: each message is followed by the address of the sender's memory (`Trailer`). The receiver
// opens it and says so there (`Line::isOpen`). From then on, the sender sends notices. When the receiver has got one,
// its turns that are enqueued later write from the sender's memory; for those that were enqueued before, it copies.
//
// Messages that are sent have two places, which turns use alternately: a queue reads into one while the other rank may
// still write from the other. So a turn that sends a notice ends when the receiver has begun the same turn, because its
// writes of the turn before have ended then (`Line::begun`).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "memory_block.h"
#include "operation.h"

namespace cl::mpi {

/// One message of an exchange.
struct Piece {
  bool isSend;
  int peer;
  int tag;
  /// 0 if there is no message.
  size_t bytes;
};

/// Such messages, each with what other ranks see of it.
class Exchange final : public Operation {
 public:
  /// Bytes that follow each message.
  static constexpr size_t kTrailer = 64;

  /// `shares` tells whether ranks of the same computer open each other's memory.
  Exchange(mpi_handle comm, const std::vector<Piece>& pieces, bool shares);
  std::string describe() const override;
  std::string release() override;
  /// Messages have the numbers of their pieces.
  void place(uint32_t message, uint64_t turn, cl_relay_place& place) override;

 protected:
  int begin() override;
  int poll(bool& done) override;

 private:
  /// What two ranks know of a message, in the sender's block.
  struct alignas(64) Line {
    /// Whether the receiver has opened the block.
    std::atomic<uint32_t> isOpen;
    /// The turn after the last one that the receiver has begun.
    std::atomic<uint64_t> begun;
  };
  /// Where a message is: its line, and its place in turns with even numbers; the other one is `stride` bytes further.
  struct Spot {
    uint64_t line;
    uint64_t offset;
    uint64_t stride;
  };
  struct Trailer {
    BlockAddress address;
    Spot spot;
  };
  static_assert(sizeof(Trailer) == kTrailer);
  struct Sent {
    Piece piece;
    Spot spot;
    Line* line;
    /// Of the two places, and of the notice.
    mpi_handle requests[2];
    mpi_handle notice;
    bool sendsNotices = false;
    bool isSent = true;
    bool isDone = true;
  };
  struct Received {
    Piece piece;
    size_t offset;
    mpi_handle request;
    bool isDone = true;
    /// Of the sender; null if it was not opened.
    MemoryBlock* block = nullptr;
    bool isTried = false;
    Spot spot{};
    Line* line = nullptr;
    /// Whether a notice has arrived.
    std::atomic<bool> isDirect{false};
    /// The first turn whose writes are from the sender's block.
    std::atomic<uint64_t> firstDirect{UINT64_MAX};

    Received(const Piece& piece_, size_t offset_) : piece(piece_), offset(offset_) {}
  };

  void createRequests(mpi_handle comm);
  /// Opens the sender's block after its first message.
  void open(Received& received);
  /// Returns why what has arrived is wrong, or "".
  std::string accept(Received& received, int64_t bytes);
  int pollSent(Sent& sent);
  int pollReceived(Received& received);
  uint8_t* placeOf(const MemoryBlock& block, const Spot& spot, uint64_t turn) const {
    return block.data() + spot.offset + turn % 2 * spot.stride;
  }

  std::unique_ptr<MemoryBlock> own_;
  /// Of other ranks. A block may have several messages.
  std::vector<std::unique_ptr<MemoryBlock>> opened_;
  /// By the number of the piece; null for others. Requests refer to them, so they stay where they are.
  std::vector<std::unique_ptr<Sent>> sent_;
  std::vector<std::unique_ptr<Received>> received_;
};

}  // namespace cl::mpi
