// Opens OpenCL runtimes and resolves their entry points. Nothing is linked to libOpenCL, so the package can be imported
// on a machine without it.
//
// There are two kinds of runtimes: the system's, which is opened at first use, and those that addRuntime() opens by
// path. Each has a separate table of entry points, and every object is used only through the table of the runtime that
// created it. So an added runtime needs no ICD loader, and its functions may be newer than those the system's loader
// dispatches.
//
// Runtimes are process-wide: each is opened once, shared by all worker threads, and never closed, because drivers leave
// threads and exit handlers that would then run unmapped code. All functions may be called from any thread.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <atomic>
#include <string>
#include <utility>
#include <vector>

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
    const Function current = load();
    if (current == nullptr) [[unlikely]]
      throw Failure{"NOT_SUPPORTED", name, CL_SUCCESS, since, -1};
    return current(std::forward<Arguments>(arguments)...);
  }
  /// Calls the entry point and ignores failures; does nothing if it is missing. For destructors and driver callbacks,
  /// which must not throw.
  template <typename... Arguments>
  void quietly(Arguments&&... arguments) const noexcept {
    try {
      if (const Function current = load()) current(std::forward<Arguments>(arguments)...);
    } catch (const Failure&) {
      // A call that dependencies.h refused.
    }
  }
  /// Throws if the entry point is missing. For calls made later on another thread, which could not report it.
  void require() const {
    if (load() == nullptr) throw Failure{"NOT_SUPPORTED", name, CL_SUCCESS, since, -1};
  }
  explicit operator bool() const { return load() != nullptr; }

 private:
  /// Other threads may replace the function (held_events.cc).
  Function load() const { return std::atomic_ref(const_cast<Function&>(function)).load(std::memory_order_acquire); }
};

/// Maximum number of runtimes, which held_events.cc needs at compile time.
inline constexpr size_t kMaxRuntimes = 4;

/// The name of the system's runtime.
inline constexpr const char* kSystemName = "system";

/// The entry points of one runtime. Objects store the runtime that created them, so several can coexist.
struct Runtime {
  /// Number among the runtimes of the process; 0 is the system's.
  size_t index = 0;
  std::string name;
  std::string path;
  /// Environment variables, as names and values, to be set while the runtime finds its devices.
  std::vector<std::pair<std::string, std::string>> variables;
#define CL_ENTRY(name, since) Entry<decltype(&::name)> name{#name, since};
  CL_ENTRY_POINTS(CL_ENTRY)
#undef CL_ENTRY
};

/// Returns the runtimes whose platforms are listed, in that order: the system's, if there is one, then the added ones.
///
/// The system's is CL_LIBRARY_PATH if that is set, else the platform's usual library names. Throws NO_RUNTIME, with one
/// line for each name that was tried, if there is no runtime at all, or if CL_LIBRARY_PATH is set and cannot be opened.
/// Failures are not cached: the next call tries again.
std::vector<const Runtime*> runtimes();

/// Opens a library as an additional runtime. Does nothing if it was added before. Throws
/// RUNTIME_NOT_OPENED with the reason.
void addRuntime(Runtime description);

/// A runtime without entry points, for handles of objects that are not OpenCL's.
const Runtime& noRuntime();

/// Returns an extension's function, or null. `platform` may be any platform of the runtime.
void* extensionFunction(const Runtime& runtime, cl_platform_id platform, const char* name);

}  // namespace cl
