// Host memory that the driver has allocated. The device reads and writes it without a copy through memory of the
// driver's, which would be slower and would block the caller.
#pragma once

#include <cstdint>

#include "driver/loader.h"

namespace cl {

/// A block of such memory, and the queue that it is mapped on.
class HostBlock final {
 public:
  HostBlock(const Runtime& runtime, cl_context context, cl_device_id device, size_t bytes);
  ~HostBlock();
  HostBlock(const HostBlock&) = delete;
  HostBlock& operator=(const HostBlock&) = delete;

  uint8_t* data() const { return data_; }
  cl_command_queue queue() const { return queue_; }

 private:
  const Runtime& runtime_;
  cl_command_queue queue_ = nullptr;
  cl_mem memory_ = nullptr;
  uint8_t* data_ = nullptr;
};

}  // namespace cl
