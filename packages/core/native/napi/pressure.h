// Reports the device or driver memory of an object to V8, so that unreachable objects make garbage collection more
// urgent. It is stored in the object's slot, so it is destroyed on the JavaScript thread, at the latest in the
// environment's cleanup hook. Reporting may run garbage collection, and so change the handle table.
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
