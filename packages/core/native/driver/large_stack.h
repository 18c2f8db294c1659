// Threads with large stacks.
//
// Drivers compile in the process: their compilers recurse once for each level of nesting in the source, and CPU devices
// keep a kernel's private memory on the stacks of their worker threads. Neither checks the size of the stack, so an
// overflow ends the process. Stacks are reserved, not allocated: a page takes memory when it is first touched.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>

namespace cl {

/// Starts a detached thread for a compiler. Throws std::system_error if the system has no thread left.
void startCompilerThread(std::function<void()> work);

/// Runs `work` on a compiler thread and waits for it. Falls back to the calling thread. `work` must not throw.
void runCompiler(const std::function<void()>& work);

/// The same for work that returns a value or throws.
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

/// Bytes of a stack that LargeWorkerStacks gives to each thread.
inline constexpr size_t kWorkerStackBytes = size_t{256} << 20;

/// While it exists, threads that drivers create get stacks of kWorkerStackBytes. Linux only; does nothing where address
/// space is limited, because PoCL ends the process if it cannot create its threads.
class LargeWorkerStacks {
 public:
  LargeWorkerStacks();
  ~LargeWorkerStacks();
  LargeWorkerStacks(const LargeWorkerStacks&) = delete;
  LargeWorkerStacks& operator=(const LargeWorkerStacks&) = delete;

 private:
  /// The default to restore; 0 if it was not changed.
  size_t before_ = 0;
};

}  // namespace cl
