// The base of every routine of the fake driver: the global mutex, injected failures, the misuse count, info queries.
//
// Threading rule: a routine's body runs with the global mutex held. Blocking routines wait on `changed()` with that
// mutex. Callbacks are posted to the driver thread, so no callback ever runs under the lock.
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

/** The version that this variant of the library reports, as 300 for 3.0; a compile-time constant. */
extern const int opencl_version;

/** opencl_version as text, such as "3.0". */
std::string version_text();

/** Thrown inside a routine's body; becomes the status that it returns. */
struct Failure {
  cl_int status;
};

/** Ends the routine with a status that a correct caller may encounter. */
[[noreturn]] inline void fail(cl_int status) { throw Failure{status}; }

/** Ends the routine with a status that a correct binding never provokes: counted and reported as misuse. */
[[noreturn]] void misuse(cl_int status, const std::string& why);

/** Counts a misuse unless the condition holds. */
inline void require(bool condition, cl_int status, const char* why) {
  if (!condition) misuse(status, why);
}

/** Ends the routine with CL_INVALID_VALUE if this variant is older than the query. */
inline void require_version(int version) {
  if (opencl_version < version) fail(CL_INVALID_VALUE);
}

/** Returns the address of an extension's function. */
template <class T>
void* address(T* function) {
  return reinterpret_cast<void*>(function);
}

std::mutex& mutex();
std::condition_variable_any& changed();

/** Counts the call and returns the status that FAKE_CL_FAIL injects, or CL_SUCCESS. Needs the mutex. */
cl_int enter(const char* routine);

/** Returns a FAKE_CL_… variable as of the main thread's last call, or "" if it is not set. Needs the mutex. */
std::string control(const char* name);

/** Returns a numeric environment variable, or the default if it is not set. */
long control(const char* name, long default_value);

/** Runs the task on the driver thread, in posting order, without the mutex. */
void post(std::function<void()> task);

/** Returns nanoseconds of the clock that events and timers use. */
cl_ulong now();

/** Returns the text of an info string, padded to FAKE_CL_LONG characters if that is set. */
std::string padded(std::string text);

/**
 * With FAKE_CL_KEEPS_LISTS=1, stores the address of a caller's list, as NVIDIA's driver does. If the list is freed or
 * changed before the process exits, that counts as a misuse of the current routine.
 */
void keep_list(const void* list, std::size_t bytes);

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

/** Runs a release: an injected failure is returned, but the reference is dropped, so that leak counts stay valid. */
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
  decltype(body()) created = nullptr;
  const cl_int status = routine(name, [&] { created = body(); });
  if (errcode_ret != nullptr) *errcode_ret = status;
  return created;
}

/** The two-call protocol: rejects a buffer that is too small and always reports the needed size. */
class Info {
 public:
  Info(std::size_t size, void* value, std::size_t* size_ret) : size_(size), value_(value), size_ret_(size_ret) {}

  void bytes(const void* data, std::size_t length) {
    if (value_ != nullptr && size_ < length) fail(CL_INVALID_VALUE);
    if (value_ != nullptr && length != 0) std::memcpy(value_, data, length);
    if (size_ret_ != nullptr) *size_ret_ = length;
  }

  /** The type is given explicitly, because the specification fixes the width of each answer. */
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

/** Runs an info query: the body answers through `Info`. */
template <class Body>
cl_int info_routine(const char* name, std::size_t size, void* value, std::size_t* size_ret, Body&& body) {
  return routine(name, [&] {
    Info out(size, value, size_ret);
    body(out);
  });
}

}  // namespace fake
