// Memory that awaited reads are written into, and that JavaScript then gets as it is.
//
// The system hands fresh memory out page by page as it is first written, which for 64 MiB takes ten times as long as
// the read itself; and giving it back takes milliseconds in which no other thread of the process gets any. So large
// blocks are made of pages of 2 MiB, and up to 128 MiB of them are kept for the next reads of their size.
#pragma once

#include <cstddef>

#include "napi/handles.h"

namespace cl {

/// Null if there is none.
void* newLanding(size_t bytes);
/// From any thread, with the size that the block was made with. The third parameter is for V8, which calls this.
void freeLanding(void* data, size_t bytes, void* unused);

/// What a read that JavaScript awaits is written into: memory that JavaScript cannot see, and so cannot move, before
/// the read is complete.
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
