// Tells V8 how much memory of a device, or of a driver, an object holds, so that dropped objects make garbage
// collection more urgent. It lives in the object's slot and so dies on the JavaScript thread, at the latest in the
// environment's cleanup hook. To tell V8 may collect garbage, and so change the handle table.
#pragma once

#include <napi.h>

#include <cstdint>

namespace cl {

class Pressure {
 public:
  Pressure(Napi::Env env, size_t bytes) : env_(env), bytes_(static_cast<int64_t>(bytes)) { adjust(bytes_); }
  ~Pressure() { adjust(-bytes_); }
  Pressure(const Pressure&) = delete;
  Pressure& operator=(const Pressure&) = delete;

 private:
  void adjust(int64_t change) { Napi::MemoryManagement::AdjustExternalMemory(env_, change); }

  Napi::Env env_;
  int64_t bytes_;
};

}  // namespace cl
