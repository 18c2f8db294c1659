#include "driver/loader.h"

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

// Linux is tested. The names for macOS and Windows are written from their documentation and untested.
std::vector<std::string> libraryNames() {
  if (const char* path = std::getenv("CL_LIBRARY_PATH"); path != nullptr && *path != '\0') return {path};
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

std::unique_ptr<Runtime> openRuntime() {
  stayLoaded();
  std::string tried;
  for (const std::string& name : libraryNames()) {
    void* library = openLibrary(name, tried);
    if (library == nullptr) continue;
    auto runtime = std::make_unique<Runtime>();
    runtime->path = name;
#define CL_RESOLVE(entry, since) \
  runtime->entry.function = reinterpret_cast<decltype(runtime->entry.function)>(symbol(library, #entry));
    CL_ENTRY_POINTS(CL_RESOLVE)
#undef CL_RESOLVE
    if (runtime->clGetPlatformIDs) return runtime;
    tried += name + ": opened, but clGetPlatformIDs is missing\n";
  }
  throw Failure{"NO_RUNTIME", "loader", CL_SUCCESS, tried, -1};
}

}  // namespace

const Runtime& systemRuntime() {
  static std::mutex mutex;
  // Leaked on purpose: driver threads may still call through it during exit.
  static Runtime* runtime = nullptr;
  const std::lock_guard lock(mutex);
  if (runtime == nullptr) runtime = openRuntime().release();
  return *runtime;
}

void* extensionFunction(const Runtime& runtime, cl_platform_id platform, const char* name) {
  if (!runtime.clGetExtensionFunctionAddressForPlatform) return nullptr;
  return runtime.clGetExtensionFunctionAddressForPlatform(platform, name);
}

}  // namespace cl
