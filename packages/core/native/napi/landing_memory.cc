#include "napi/landing_memory.h"

#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#ifndef _WIN32
#include <sys/mman.h>
#endif

namespace cl {
namespace {

constexpr size_t kPage = size_t{2} << 20;
constexpr size_t kLarge = 2 * kPage;
constexpr size_t kMaxCachedBytes = size_t{128} << 20;

size_t roundToPages(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

/// Free blocks for reuse. Leaked on purpose: V8's threads may free memory during exit.
struct FreeBlocks {
  struct Block {
    void* data;
    size_t bytes;
  };
  std::mutex mutex;
  std::vector<Block> blocks;
  size_t bytes = 0;

  void* take(size_t size) {
    const std::lock_guard lock(mutex);
    for (auto block = blocks.begin(); block != blocks.end(); ++block) {
      if (block->bytes != size) continue;
      void* data = block->data;
      bytes -= size;
      blocks.erase(block);
      return data;
    }
    return nullptr;
  }

  bool store(void* data, size_t size) {
    const std::lock_guard lock(mutex);
    if (bytes + size > kMaxCachedBytes) return false;
    blocks.push_back({data, size});
    bytes += size;
    return true;
  }
};

FreeBlocks& freeBlocks() {
  static auto* instance = new FreeBlocks();
  return *instance;
}

}  // namespace

void* newLanding(size_t bytes) {
#ifdef MADV_HUGEPAGE
  if (bytes >= kLarge) {
    const size_t rounded = roundToPages(bytes);
    if (void* data = freeBlocks().take(rounded)) return data;
    void* data = std::aligned_alloc(kPage, rounded);
    // Only a hint: if it fails, the memory is slower.
    if (data != nullptr) madvise(data, rounded, MADV_HUGEPAGE);
    return data;
  }
#endif
  return std::malloc(bytes == 0 ? 1 : bytes);
}

void freeLanding(void* data, size_t bytes, void*) {
#ifdef MADV_HUGEPAGE
  if (data != nullptr && bytes >= kLarge) {
    if (freeBlocks().store(data, roundToPages(bytes))) return;
    try {
      // On a new thread, because freeing takes milliseconds, which V8's thread should not spend.
      std::thread([data] { std::free(data); }).detach();
      return;
    } catch (const std::exception&) {
      // The system has no thread left.
    }
  }
#endif
  std::free(data);
}

}  // namespace cl
