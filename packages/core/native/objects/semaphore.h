// Semaphores (cl_khr_semaphore) and their export to other APIs (cl_khr_external_semaphore).
#pragma once

#include "driver/extensions.h"
#include "napi/call.h"

namespace cl {

/// Owns a semaphore, with the functions of its platform.
struct SemaphoreRecord final : Record {
  SemaphoreRecord(const Extensions& functions, Semaphore* object) : extensions(functions), semaphore(object) {}
  ~SemaphoreRecord() override { extensions.clReleaseSemaphoreKHR.quietly(semaphore); }
  SemaphoreRecord(const SemaphoreRecord&) = delete;
  SemaphoreRecord& operator=(const SemaphoreRecord&) = delete;

  const Extensions& extensions;
  Semaphore* semaphore;
};

inline SemaphoreRecord& semaphoreOf(const Slot& slot) { return *static_cast<SemaphoreRecord*>(slot.record.get()); }

}  // namespace cl
