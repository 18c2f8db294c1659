// Host memory of messages. Blocks can be shared: then another process of the same computer can open them, and reads
// messages where they are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace cl::mpi {

/// How another process finds a block. It is sent with messages.
struct BlockAddress {
  /// Random bytes, with which the block starts. Process numbers of other computers or containers mean other processes.
  std::array<uint8_t, 16> token;
  /// The process, or 0 if the block cannot be opened.
  int64_t process;
  int64_t file;
  uint64_t bytes;
};

/// A block of memory, filled with zeros. A shared one starts with its token.
class MemoryBlock {
 public:
  /// Bytes that are taken by the token.
  static constexpr size_t kHeader = 64;

  /// Allocates a block of this process. It is not shared if the system cannot.
  MemoryBlock(size_t bytes, bool isShared);
  /// Opens a block of another process. Returns null if that is not possible.
  static std::unique_ptr<MemoryBlock> open(const BlockAddress& address);
  ~MemoryBlock();
  MemoryBlock(const MemoryBlock&) = delete;
  MemoryBlock& operator=(const MemoryBlock&) = delete;

  uint8_t* data() const { return data_; }
  size_t bytes() const { return address_.bytes; }
  const BlockAddress& address() const { return address_; }

 private:
  MemoryBlock(const BlockAddress& address, uint8_t* data) : address_(address), data_(data) {}

  BlockAddress address_{};
  uint8_t* data_ = nullptr;
  /// Of the process that has allocated it; negative for others.
  int file_ = -1;
};

}  // namespace cl::mpi
