// Opens an OpenCL runtime at first use and resolves its entry points; nothing is linked to libOpenCL, so the package
// imports on a machine that has none.
//
// This is the only process-wide state of the addon: a runtime is opened once, shared by all worker threads, and never
// closed, because drivers leave threads and exit handlers behind that would run in unmapped code.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <string>
#include <utility>

#include "driver/entry_points.h"
#include "driver/errors.h"

namespace cl {

/// One entry point that may be absent. Calling an absent one throws; nothing else is needed at the place of the call.
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
  /// For destructors and driver callbacks, which must not throw: nothing happens where it is absent.
  template <typename... Arguments>
  void quietly(Arguments&&... arguments) const noexcept {
    try {
      if (function != nullptr) function(std::forward<Arguments>(arguments)...);
    } catch (const Failure&) {
      // Refused before the driver was asked (dependencies.h).
    }
  }
  /// For calls that go to another thread: what they lack is told here.
  void require() const {
    if (function == nullptr) throw Failure{"NOT_SUPPORTED", name, CL_SUCCESS, since, -1};
  }
  explicit operator bool() const { return function != nullptr; }
};

/// The table of one runtime. Objects remember the runtime that made them, so that a second one can live beside it.
struct Runtime {
  std::string path;
#define CL_ENTRY(name, since) Entry<decltype(&::name)> name{#name, since};
  CL_ENTRY_POINTS(CL_ENTRY)
#undef CL_ENTRY
};

/// The system's runtime: CL_LIBRARY_PATH if it is set, else the platform's usual names. Throws NO_RUNTIME with one line
/// for each name that was tried. A failure is not remembered: a runtime installed later is found by the next call.
const Runtime& systemRuntime();

/// The entry point of an extension, or null. `platform` may be any platform of the runtime.
void* extensionFunction(const Runtime& runtime, cl_platform_id platform, const char* name);

}  // namespace cl
