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
constexpr size_t kMostKept = size_t{128} << 20;

size_t wholePages(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

/// Leaked on purpose: V8 gives memory back from threads of its own while the process exits.
struct Kept {
  struct Block {
    void* data;
    size_t bytes;
  };
  std::mutex mutex;
  std::vector<Block> blocks;
  size_t bytes = 0;

  void* take(size_t wanted) {
    const std::lock_guard lock(mutex);
    for (auto block = blocks.begin(); block != blocks.end(); ++block) {
      if (block->bytes != wanted) continue;
      void* data = block->data;
      bytes -= wanted;
      blocks.erase(block);
      return data;
    }
    return nullptr;
  }

  bool keep(void* data, size_t size) {
    const std::lock_guard lock(mutex);
    if (bytes + size > kMostKept) return false;
    blocks.push_back({data, size});
    bytes += size;
    return true;
  }
};

Kept& kept() {
  static auto* instance = new Kept();
  return *instance;
}

}  // namespace

void* newLanding(size_t bytes) {
#ifdef MADV_HUGEPAGE
  if (bytes >= kLarge) {
    const size_t whole = wholePages(bytes);
    if (void* data = kept().take(whole)) return data;
    void* data = std::aligned_alloc(kPage, whole);
    // Only a hint: without it the memory is as good, and slower.
    if (data != nullptr) madvise(data, whole, MADV_HUGEPAGE);
    return data;
  }
#endif
  return std::malloc(bytes == 0 ? 1 : bytes);
}

void freeLanding(void* data, size_t bytes, void*) {
#ifdef MADV_HUGEPAGE
  if (data != nullptr && bytes >= kLarge) {
    if (kept().keep(data, wholePages(bytes))) return;
    try {
      // Not on a thread of V8's, which has better things to do for milliseconds.
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
