// Threads with large stacks.
//
// Drivers compile in the process: their compilers recurse once per nesting level of the source, and CPU devices keep a
// kernel's private memory on the stacks of their worker threads. Neither checks for stack overflow, which ends the
// process. Stacks are reserved, not committed: a page takes memory when it is first touched.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>

namespace cl {

/// Starts a detached thread with a large stack. Throws std::system_error if the system has no thread left.
void startCompilerThread(std::function<void()> work);

/// Runs `work` on a compiler thread and waits for it; runs it on the calling thread if no thread can be started. `work`
/// must not throw.
void runCompiler(const std::function<void()>& work);

/// Like runCompiler(), for work that returns a value or throws.
template <typename Work>
auto runCompiling(Work work) {
  std::optional<decltype(work())> result;
  std::exception_ptr error;
  runCompiler([&] {
    try {
      result = work();
    } catch (...) {
      error = std::current_exception();
    }
  });
  if (error) std::rethrow_exception(error);
  return *std::move(result);
}

/// Stack size in bytes of threads created under LargeWorkerStacks.
inline constexpr size_t kWorkerStackBytes = size_t{256} << 20;

/// While it exists, new threads without an explicit stack size get kWorkerStackBytes, so drivers' threads do. Linux
/// only. Does nothing if address space is limited, because PoCL ends the process if it cannot create its threads.
class LargeWorkerStacks {
 public:
  LargeWorkerStacks();
  ~LargeWorkerStacks();
  LargeWorkerStacks(const LargeWorkerStacks&) = delete;
  LargeWorkerStacks& operator=(const LargeWorkerStacks&) = delete;

 private:
  /// The default to restore, or 0 if it was not changed.
  size_t original_ = 0;
};

}  // namespace cl
