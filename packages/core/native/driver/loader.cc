#include "driver/loader.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace cl {
namespace {

/// Returns the value of CL_LIBRARY_PATH, or null if it is not set.
const char* configuredPath() {
  const char* path = std::getenv("CL_LIBRARY_PATH");
  return path == nullptr || *path == '\0' ? nullptr : path;
}

// Linux is tested. The names for macOS and Windows are written from their documentation and untested.
std::vector<std::string> libraryNames() {
  if (const char* path = configuredPath()) return {path};
#if defined(_WIN32)
  return {"OpenCL.dll"};
#elif defined(__APPLE__)
  return {"/System/Library/Frameworks/OpenCL.framework/OpenCL", "/opt/homebrew/lib/libOpenCL.dylib", "libOpenCL.dylib"};
#elif defined(__ANDROID__)
  return {"libOpenCL.so", "/vendor/lib64/libOpenCL.so", "/system/vendor/lib64/libOpenCL.so"};
#else
  return {"libOpenCL.so.1", "libOpenCL.so"};
#endif
}

#ifdef _WIN32
void* openLibrary(const std::string& name, std::string& tried) {
  HMODULE library = LoadLibraryA(name.c_str());
  if (library == nullptr) tried += name + ": error " + std::to_string(GetLastError()) + "\n";
  return reinterpret_cast<void*>(library);
}
void* symbol(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}
#else
void* openLibrary(const std::string& name, std::string& tried) {
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    tried += (reason == nullptr ? name + ": not found" : std::string(reason)) + "\n";
  }
  return library;
}
void* symbol(void* library, const char* name) { return dlsym(library, name); }
#endif

/// Prevents the addon from being unloaded. Node unloads it with the last environment that uses it, possibly a worker's,
/// while driver callbacks and threads of this addon may still execute its code.
void stayLoaded() {
#ifdef _WIN32
  HMODULE self = nullptr;
  GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                     reinterpret_cast<LPCSTR>(&stayLoaded), &self);
#else
  Dl_info self;
  if (dladdr(reinterpret_cast<void*>(&stayLoaded), &self) != 0)
    dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
#endif
}

void closeLibrary(void* library) {
#ifdef _WIN32
  FreeLibrary(static_cast<HMODULE>(library));
#else
  dlclose(library);
#endif
}

/// Resolves the entry points of an open library. Returns false if it has no OpenCL.
bool resolve(void* library, Runtime& runtime) {
#define CL_RESOLVE(entry, since) \
  runtime.entry.function = reinterpret_cast<decltype(runtime.entry.function)>(symbol(library, #entry));
  CL_ENTRY_POINTS(CL_RESOLVE)
#undef CL_RESOLVE
  return static_cast<bool>(runtime.clGetPlatformIDs);
}

std::unique_ptr<Runtime> openSystemRuntime() {
  stayLoaded();
  std::string tried;
  for (const std::string& name : libraryNames()) {
    void* library = openLibrary(name, tried);
    if (library == nullptr) continue;
    auto runtime = std::make_unique<Runtime>();
    runtime->name = kSystemName;
    runtime->path = name;
    if (resolve(library, *runtime)) return runtime;
    tried += name + ": opened, but clGetPlatformIDs is missing\n";
  }
  throw Failure{"NO_RUNTIME", "loader", CL_SUCCESS, tried, -1};
}

/// The runtimes of the process. Leaked on purpose: driver threads may still call through them during exit.
struct Opened {
  std::mutex mutex;
  const Runtime* system = nullptr;
  std::vector<const Runtime*> added;
  /// The libraries of `added`.
  std::vector<void*> libraries;
};

Opened& opened() {
  static auto* instance = new Opened();
  return *instance;
}

}  // namespace

std::vector<const Runtime*> runtimes() {
  Opened& self = opened();
  const std::lock_guard lock(self.mutex);
  try {
    if (self.system == nullptr) self.system = openSystemRuntime().release();
  } catch (const Failure&) {
    if (self.added.empty() || configuredPath() != nullptr) throw;
    return self.added;
  }
  std::vector<const Runtime*> all{self.system};
  all.insert(all.end(), self.added.begin(), self.added.end());
  return all;
}

void addRuntime(Runtime description) {
  stayLoaded();
  Opened& self = opened();
  const std::lock_guard lock(self.mutex);
  std::string tried;
  void* library = openLibrary(description.path, tried);
  if (library == nullptr) throw Failure{"RUNTIME_NOT_OPENED", description.path, CL_SUCCESS, tried, -1};
  auto runtime = std::make_unique<Runtime>(std::move(description));
  // A library that is opened again has the same handle.
  if (std::find(self.libraries.begin(), self.libraries.end(), library) != self.libraries.end()) {
    closeLibrary(library);
    return;
  }
  if (!resolve(library, *runtime))
    throw Failure{"RUNTIME_NOT_OPENED", runtime->path, CL_SUCCESS,
                  "clGetPlatformIDs is missing: it is no OpenCL library, or a driver that only a loader can open", -1};
  runtime->index = self.added.size() + 1;
  if (runtime->index >= kMaxRuntimes)
    invalid("at most " + std::to_string(kMaxRuntimes - 1) + " runtimes can be added", 0);
  self.added.push_back(runtime.release());
  self.libraries.push_back(library);
}

const Runtime& noRuntime() {
  static const auto* const none = new Runtime();
  return *none;
}

void* extensionFunction(const Runtime& runtime, cl_platform_id platform, const char* name) {
  if (!runtime.clGetExtensionFunctionAddressForPlatform) return nullptr;
  return runtime.clGetExtensionFunctionAddressForPlatform(platform, name);
}

}  // namespace cl
