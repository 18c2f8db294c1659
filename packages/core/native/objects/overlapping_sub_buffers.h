// Overlapping sub-buffers, on a driver that cannot release them.
//
// NVIDIA's driver (580.159) ends the process in clReleaseMemObject if commands used two overlapping sub-buffers, unless
// the one used last is released first; with three of them no order is safe. Waiting for all commands does not help, nor
// does using a sub-buffer or its parent before the release. With this driver, overlapping sub-buffers are therefore
// never released, nor are their parents. A sub-buffer with the same region and flags is reused, which bounds their
// number.
//
// Any thread may call these functions.
#pragma once

#include "napi/call.h"

namespace cl {

/// A sub-buffer and the record that keeps it alive, which all of its handles share.
struct SharedSubBuffer {
  cl_mem memory = nullptr;
  std::shared_ptr<Record> record;
};

/// Returns a sub-buffer with a reference for the caller. If it overlaps another one, both are never released.
SharedSubBuffer createSharedSubBuffer(const Runtime& runtime, cl_mem parent, cl_mem_flags flags,
                                      const cl_buffer_region& region);

/// Returns whether this process has sub-buffers that are never released.
bool hasLeakedSubBuffers();

}  // namespace cl
