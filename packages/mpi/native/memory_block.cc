#include "memory_block.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "library.h"

namespace cl::mpi {
namespace {

constexpr const char* kName = "cl-mpi";

uint8_t* map(size_t bytes, int flags, int file) {
  void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
  return data == MAP_FAILED ? nullptr : static_cast<uint8_t*>(data);
}

/// Creates a file in memory that cannot be shortened, which would end processes that read its end. Returns a negative
/// number if it cannot.
int createFile(size_t bytes) {
  const int file = memfd_create(kName, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return file;
  if (ftruncate(file, static_cast<off_t>(bytes)) == 0 && fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0)
    return file;
  close(file);
  return -1;
}

}  // namespace

MemoryBlock::MemoryBlock(size_t bytes, bool isShared) {
  address_.bytes = bytes;
  if (isShared && getrandom(address_.token.data(), address_.token.size(), 0) == ssize_t{sizeof address_.token}) {
    file_ = createFile(bytes);
    if (file_ >= 0) data_ = map(bytes, MAP_SHARED, file_);
  }
  if (data_ != nullptr) {
    std::memcpy(data_, address_.token.data(), sizeof address_.token);
    address_.process = getpid();
    address_.file = file_;
    return;
  }
  if (file_ >= 0) close(std::exchange(file_, -1));
  data_ = map(bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  if (data_ == nullptr) throw MpiError("there is no host memory for messages of " + std::to_string(bytes) + " bytes");
}

std::unique_ptr<MemoryBlock> MemoryBlock::open(const BlockAddress& address) {
  if (address.process == 0) return nullptr;
  const std::string path = "/proc/" + std::to_string(address.process) + "/fd/" + std::to_string(address.file);
  // The file's name first: opening some files has effects.
  char target[64];
  const ssize_t length = readlink(path.c_str(), target, sizeof target);
  const std::string expected = std::string("/memfd:") + kName;
  if (length < 0 || !std::string_view(target, static_cast<size_t>(length)).starts_with(expected)) return nullptr;
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  struct stat found{};
  const bool hasSize = fstat(file, &found) == 0 && static_cast<uint64_t>(found.st_size) == address.bytes;
  uint8_t* const data = hasSize ? map(address.bytes, MAP_SHARED, file) : nullptr;
  close(file);
  if (data == nullptr) return nullptr;
  std::unique_ptr<MemoryBlock> block(new MemoryBlock(address, data));
  if (std::memcmp(data, address.token.data(), sizeof address.token) != 0) return nullptr;
  return block;
}

MemoryBlock::~MemoryBlock() {
  munmap(data_, bytes());
  if (file_ >= 0) close(file_);
}

}  // namespace cl::mpi
