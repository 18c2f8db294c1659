#include "driver/large_stack.h"

#include <cerrno>
#include <cstdio>
#include <future>
#include <memory>
#include <system_error>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <process.h>
#include <windows.h>
#else
#include <pthread.h>
#include <sys/resource.h>
#endif

namespace cl {
namespace {

using Work = std::function<void()>;

// Clang takes about 2.7 KiB of stack for each nested operator. The smaller sizes are for limited address space.
constexpr size_t kCompilerStackBytes[] = {size_t{1} << 30, size_t{128} << 20, size_t{16} << 20};

#ifdef _WIN32
unsigned __stdcall runOwned(void* argument) {
  const std::unique_ptr<Work> work(static_cast<Work*>(argument));
  (*work)();
  return 0;
}

/// Starts a thread. Returns 0 or an errno value.
int start(Work* work, size_t bytes) {
  const uintptr_t thread =
      _beginthreadex(nullptr, static_cast<unsigned>(bytes), runOwned, work, STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr);
  if (thread == 0) return errno;
  CloseHandle(reinterpret_cast<HANDLE>(thread));
  return 0;
}
#else
void* runOwned(void* argument) {
  const std::unique_ptr<Work> work(static_cast<Work*>(argument));
  (*work)();
  return nullptr;
}

/// Starts a thread. Returns 0 or an errno value.
int start(Work* work, size_t bytes) {
  pthread_attr_t attributes;
  if (const int status = pthread_attr_init(&attributes); status != 0) return status;
  pthread_t thread;
  int status = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (status == 0) status = pthread_attr_setstacksize(&attributes, bytes);
  if (status == 0) status = pthread_create(&thread, &attributes, runOwned, work);
  pthread_attr_destroy(&attributes);
  return status;
}
#endif

#ifdef __linux__
/// Returns whether reserving memory that is never touched may fail.
bool isAddressSpaceLimited() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) return true;
  FILE* file = std::fopen("/proc/sys/vm/overcommit_memory", "r");
  if (file == nullptr) return true;
  const int mode = std::fgetc(file);
  std::fclose(file);
  return mode == '2';
}

/// Sets the default stack size of new threads. Returns whether that succeeded.
bool setDefaultStack(size_t bytes) {
  pthread_attr_t attributes;
  if (pthread_getattr_default_np(&attributes) != 0) return false;
  const bool changed =
      pthread_attr_setstacksize(&attributes, bytes) == 0 && pthread_setattr_default_np(&attributes) == 0;
  pthread_attr_destroy(&attributes);
  return changed;
}

/// Returns the default stack size of new threads, or 0 if it is unknown.
size_t defaultStack() {
  pthread_attr_t attributes;
  if (pthread_getattr_default_np(&attributes) != 0) return 0;
  size_t bytes = 0;
  pthread_attr_getstacksize(&attributes, &bytes);
  pthread_attr_destroy(&attributes);
  return bytes;
}
#endif

}  // namespace

void startCompilerThread(std::function<void()> work) {
  auto owned = std::make_unique<Work>(std::move(work));
  int status = 0;
  for (const size_t bytes : kCompilerStackBytes) {
    status = start(owned.get(), bytes);
    if (status != 0) continue;
    // The thread owns it now.
    static_cast<void>(owned.release());
    return;
  }
  throw std::system_error(status, std::generic_category(), "cannot start a compiler thread");
}

void runCompiler(const std::function<void()>& work) {
  // Shared, because the thread may still be inside set_value() when the wait ends.
  const auto done = std::make_shared<std::promise<void>>();
  try {
    startCompilerThread([&work, done] {
      work();
      done->set_value();
    });
  } catch (const std::system_error&) {
    work();
    return;
  }
  done->get_future().wait();
}

#ifdef __linux__
LargeWorkerStacks::LargeWorkerStacks() {
  const size_t current = defaultStack();
  if (current == 0 || current >= kWorkerStackBytes || isAddressSpaceLimited()) return;
  if (setDefaultStack(kWorkerStackBytes)) original_ = current;
}

LargeWorkerStacks::~LargeWorkerStacks() {
  if (original_ != 0) setDefaultStack(original_);
}
#else
LargeWorkerStacks::LargeWorkerStacks() = default;
LargeWorkerStacks::~LargeWorkerStacks() = default;
#endif

}  // namespace cl
