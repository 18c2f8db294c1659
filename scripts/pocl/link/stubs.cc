// Replaces functions that the static libraries in libpocl.so would otherwise take from elsewhere. Hidden by
// exports.map.
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <signal.h>
#include <sys/random.h>

extern "C" {

// LLVM installs handlers for a dozen signals when it writes a file or enables crash recovery. They would replace those
// of Node, such as SIGSEGV for WebAssembly, SIGUSR1 for the debugger and SIGINT for applications.
int sigaction(int, const struct sigaction*, struct sigaction* old) noexcept {
  if (old != nullptr) *old = {};
  return 0;
}

// Only used by those handlers.
int sigaltstack(const stack_t*, stack_t* old) noexcept {
  if (old != nullptr) {
    *old = {};
    old->ss_flags = SS_DISABLE;
  }
  return 0;
}

// Without it, libstdc++'s random_device requires glibc 2.36.
unsigned arc4random() {
  unsigned value;
  while (getrandom(&value, sizeof(value), 0) != sizeof(value)) {
  }
  return value;
}

}  // extern "C"

// Clang registers Polly in each of its pass pipelines. Its passes are off unless an option enables them.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "no Polly", "", [](llvm::PassBuilder&) {}};
}
