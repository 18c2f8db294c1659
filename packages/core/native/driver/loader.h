// Opens an OpenCL runtime at first use and resolves its entry points. Nothing is linked to libOpenCL, so the package
// can be imported on a machine without it.
//
// The runtime is process-wide: it is opened once, shared by all worker threads, and never closed, because drivers leave
// threads and exit handlers that would then run unmapped code.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <string>
#include <utility>

#include "driver/entry_points.h"
#include "driver/errors.h"

namespace cl {

/// An entry point that may be missing. Calling a missing one throws NOT_SUPPORTED, so callers need no check.
template <typename Function>
struct Entry {
  const char* name;
  const char* since;
  Function function = nullptr;

  template <typename... Arguments>
  auto operator()(Arguments&&... arguments) const {
    if (function == nullptr) [[unlikely]]
      throw Failure{"NOT_SUPPORTED", name, CL_SUCCESS, since, -1};
    return function(std::forward<Arguments>(arguments)...);
  }
  /// Calls the entry point and ignores failures; does nothing if it is missing. For destructors and driver callbacks,
  /// which must not throw.
  template <typename... Arguments>
  void quietly(Arguments&&... arguments) const noexcept {
    try {
      if (function != nullptr) function(std::forward<Arguments>(arguments)...);
    } catch (const Failure&) {
      // A call that dependencies.h refused.
    }
  }
  /// Throws if the entry point is missing. For calls made later on another thread, which could not report it.
  void require() const {
    if (function == nullptr) throw Failure{"NOT_SUPPORTED", name, CL_SUCCESS, since, -1};
  }
  explicit operator bool() const { return function != nullptr; }
};

/// The entry points of one runtime. Objects store the runtime that created them, so several can coexist.
struct Runtime {
  std::string path;
#define CL_ENTRY(name, since) Entry<decltype(&::name)> name{#name, since};
  CL_ENTRY_POINTS(CL_ENTRY)
#undef CL_ENTRY
};

/// Returns the system's runtime: CL_LIBRARY_PATH if it is set, else the platform's usual library names. Throws
/// NO_RUNTIME with one line for each name that was tried. Failures are not cached: the next call tries again.
const Runtime& systemRuntime();

/// Returns an extension's function, or null. `platform` may be any platform of the runtime.
void* extensionFunction(const Runtime& runtime, cl_platform_id platform, const char* name);

}  // namespace cl
