// Landing memory: memory that asynchronous reads write into and that JavaScript then receives without a copy.
//
// The system provides fresh memory page by page at the first write, which for 64 MiB takes ten times as long as the
// read itself, and freeing it blocks other allocations of the process for milliseconds. So large blocks use 2 MiB
// pages, and up to 128 MiB of free blocks are cached for reads of the same size.
#pragma once

#include <cstddef>

#include "napi/handles.h"

namespace cl {

/// Returns null if no memory is available. Any thread.
void* newLanding(size_t bytes);
/// Frees or caches a block. `bytes` must be the size it was created with. The third parameter exists because V8 calls
/// this function. Any thread.
void freeLanding(void* data, size_t bytes, void* unused);

/// Owns the target of an asynchronous read. JavaScript cannot access the memory, and so cannot transfer it, before the
/// read is complete.
struct LandingRecord final : Record {
  void* data;
  const size_t bytes;

  explicit LandingRecord(size_t bytes) : data(newLanding(bytes)), bytes(bytes) {
    if (data == nullptr) throw Failure{"DRIVER", "malloc", CL_OUT_OF_HOST_MEMORY, {}, -1};
  }
  ~LandingRecord() override { freeLanding(data, bytes, nullptr); }
  LandingRecord(const LandingRecord&) = delete;
  LandingRecord& operator=(const LandingRecord&) = delete;
};

}  // namespace cl
