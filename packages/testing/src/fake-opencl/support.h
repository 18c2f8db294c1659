// Common parts of all routines: the lock, failure injection, misuse counts and the info protocol.
//
// Threading rule: a routine's body runs with the global mutex held. Blocking routines wait on `changed()` with this
// mutex. Callbacks are posted to the driver thread, so that no callback runs under the lock.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <functional>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace fake {

/** OpenCL version of this library variant, such as 300 for 3.0; set at build time. */
extern const int opencl_version;

/** Returns opencl_version as text, such as "3.0". */
std::string version_text();

/** Exception of a routine's body that becomes its returned status. */
struct Failure {
  cl_int status;
};

/** Ends the routine with a status that correct callers can get. */
[[noreturn]] inline void fail(cl_int status) { throw Failure{status}; }

/** Ends the routine with a status that a correct binding never causes, and counts it as misuse. */
[[noreturn]] void misuse(cl_int status, const std::string& reason);

/** Counts a misuse and ends the routine unless the condition is true. */
inline void require(bool condition, cl_int status, const char* reason) {
  if (!condition) misuse(status, reason);
}

/** Ends the routine with CL_INVALID_VALUE if this variant is older than the query. */
inline void require_version(int version) {
  if (opencl_version < version) fail(CL_INVALID_VALUE);
}

std::mutex& mutex();
std::condition_variable_any& changed();

/** Counts the call and returns the status that FAKE_CL_FAIL specifies, or CL_SUCCESS. Requires the mutex. */
cl_int enter(const char* routine);

/** Returns a variable FAKE_CL_… as of the main thread's last call; empty if unset. Requires the mutex. */
std::string control(const char* name);

/** Returns a numeric control variable, or the default if unset. */
long control(const char* name, long default_value);

/** Runs the task on the driver thread, in order of posting, without the mutex. */
void post(std::function<void()> task);

/** Returns the time of the clock of events and timers in nanoseconds. */
cl_ulong now();

/** Returns the text of an info string, padded to FAKE_CL_LONG characters if set. */
std::string padded(std::string text);

/**
 * With FAKE_CL_KEEPS_LISTS=1, stores the address of a caller's list, as NVIDIA's driver does. If the list has changed
 * when the process exits, that counts as misuse of the current routine.
 */
void store_list(const void* list, std::size_t bytes);

template <class Body>
cl_int guarded(Body&& body) {
  try {
    body();
    return CL_SUCCESS;
  } catch (const Failure& failure) {
    return failure.status;
  } catch (const std::bad_alloc&) {
    return CL_OUT_OF_HOST_MEMORY;
  }
}

/** Runs a routine that returns a status. */
template <class Body>
cl_int routine(const char* name, Body&& body) {
  const std::lock_guard lock(mutex());
  if (const cl_int injected = enter(name); injected != CL_SUCCESS) return injected;
  return guarded(body);
}

/**
 * Runs a release routine. It drops the reference even if it returns an injected failure, so that leak counts stay
 * correct.
 */
template <class Body>
cl_int release_routine(const char* name, Body&& body) {
  const std::lock_guard lock(mutex());
  const cl_int injected = enter(name);
  const cl_int status = guarded(body);
  return injected != CL_SUCCESS ? injected : status;
}

/** Runs a routine that returns a pointer and reports its status through errcode_ret. */
template <class Body>
auto create_routine(const char* name, cl_int* errcode_ret, Body&& body) -> decltype(body()) {
  decltype(body()) made = nullptr;
  const cl_int status = routine(name, [&] { made = body(); });
  if (errcode_ret != nullptr) *errcode_ret = status;
  return made;
}

/** The two-call protocol of queries: rejects a buffer that is too small and always reports the required size. */
class Info {
 public:
  Info(std::size_t size, void* value, std::size_t* size_ret) : size_(size), value_(value), size_ret_(size_ret) {}

  void bytes(const void* data, std::size_t length) {
    if (value_ != nullptr && size_ < length) fail(CL_INVALID_VALUE);
    if (value_ != nullptr && length != 0) std::memcpy(value_, data, length);
    if (size_ret_ != nullptr) *size_ret_ = length;
  }

  /** The type must be explicit at every use, because the specification fixes the width of each value. */
  template <class T>
  void put(const std::type_identity_t<T>& value) {
    bytes(&value, sizeof(T));
  }

  template <class T>
  void list(const std::vector<T>& values) {
    bytes(values.data(), values.size() * sizeof(T));
  }

  void text(const std::string& value) { bytes(value.c_str(), value.size() + 1); }

 private:
  std::size_t size_;
  void* value_;
  std::size_t* size_ret_;
};

/** Runs an info query. The body writes the result to `Info`. */
template <class Body>
cl_int info_routine(const char* name, std::size_t size, void* value, std::size_t* size_ret, Body&& body) {
  return routine(name, [&] {
    Info out(size, value, size_ret);
    body(out);
  });
}

}  // namespace fake
