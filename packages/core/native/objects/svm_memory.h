// The lifetime of shared virtual memory.
//
// OpenCL does not count references to it: freeing it requires knowing that no command uses it any more. A kernel that
// runs in freed memory ends the process. Therefore:
//  - A block is shared by everything that may still access it: its handle, ArrayBuffers, maps, buffers over it, and
//    kernels that were given its pointer. When the last of them drops it, it is freed after the commands that use it.
//  - The block records which queues use it: at each launch of a kernel that has shared virtual memory among its
//    arguments, and at every other command on it. KernelRecord::tracksUse tells whether a kernel has any, so that other
//    launches only check a flag that is in the cache anyway.
//  - Memory that is bound to a queue and was used on no other queue is freed by a command of that queue. Other memory
//    is freed here, when a marker after its last commands on each queue has completed. No thread waits for that: while
//    such memory exists, JavaScript calls reap() periodically. Driver callbacks would be earlier, but PoCL 3.1 does not
//    call back for commands that fail.
//  - When a queue ends, a marker on it is added to the memory that it used.
//
// Threads: JavaScript thread only, except SvmPin, which drivers may drop on any thread. At the environment's teardown,
// after all commands have ended, the remaining memory is freed immediately. If the commands did not end in time it is
// leaked, which is safe.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "driver/checkpoint.h"
#include "driver/known_objects.h"
#include "napi/completion.h"

namespace cl {

class SvmState;

/// One block, which its users own by shared_ptr. Its destructor schedules the free.
struct SvmMemory {
  const Runtime& runtime;
  /// Retained, because freeing the memory needs it.
  cl_context context;
  void* pointer;
  size_t bytes;
  const ScriptMemory writable;
  /// Pins host memory that was wrapped, for devices that can access any memory. Such memory is not freed here.
  std::shared_ptr<void> pin;
  /// Number of its maps that have ended.
  uint64_t unmaps = 0;
  /// The queue whose command frees it, or null.
  cl_command_queue bound = nullptr;
  /// Live queues that have used it.
  std::vector<cl_command_queue> users;
  /// Its last use on queues that have ended.
  std::vector<std::shared_ptr<Checkpoint>> checkpoints;
  std::shared_ptr<SvmState> state;
  /// The loan state of pooled memory (loans.h), else null.
  std::shared_ptr<LoanState> loanState;

  SvmMemory(std::shared_ptr<SvmState> state_, const Runtime& runtime_, cl_context context_, void* pointer_,
            size_t bytes_, std::shared_ptr<void> pin_);
  ~SvmMemory();
  SvmMemory(const SvmMemory&) = delete;
  SvmMemory& operator=(const SvmMemory&) = delete;

  /// Sets `bound`. Null unbinds.
  void bind(cl_command_queue queue);
  /// Records that a command of this queue uses it.
  void use(const Slot& queue);
};

/// The shared virtual memory of one environment.
class SvmState : public std::enable_shared_from_this<SvmState> {
 public:
  /// `listener` is the completion id that notifies JavaScript of memory to reap.
  SvmState(std::shared_ptr<Channel> channel, double listener);

  /// Records a use of all memory of the queue's context, by a kernel that may access any memory.
  void useAll(const Slot& queue);
  /// Frees the memory that no command uses any more. Returns the number of blocks that are left to free.
  size_t reap();
  /// Must be called before a queue's last reference is released.
  void queueEnds(cl_command_queue queue);
  /// Enqueues a command that frees the memory and returns its event. The caller must be the block's only owner.
  cl_event enqueueFree(SvmMemory& memory, cl_command_queue queue, const std::vector<cl_event>& events);
  /// Frees or leaks the remaining memory at teardown; `quiet` says whether all commands have ended.
  void close(bool quiet);

 private:
  friend struct SvmMemory;
  friend class SvmPin;

  /// Memory of a dropped block, to be freed when all checkpoints have been passed.
  struct PendingFree {
    const Runtime* runtime;
    cl_context context;
    void* pointer;
    std::shared_ptr<void> pin;
    std::vector<std::shared_ptr<Checkpoint>> checkpoints;
    /// The command that frees it, or null.
    std::shared_ptr<Checkpoint> freeing;

    /// Returns whether it may be freed now, or has been.
    bool isReady();
    /// Frees the memory unless its command did, or leaks it if `free` is false.
    void end(bool free);
  };

  void scheduleFree(SvmMemory& memory);
  void notifyListener();

  std::shared_ptr<Channel> channel_;
  double listener_;
  std::unordered_set<SvmMemory*> living_;
  std::vector<PendingFree> pendingFrees_;
  enum class Mode { Open, Free, Leak } mode_ = Mode::Open;
  std::mutex mutex_;
  /// Blocks that other threads have dropped.
  std::vector<std::shared_ptr<SvmMemory>> returned_;
};

/// A reference to a block that may be dropped on any thread: it returns the block to the JavaScript thread.
class SvmPin {
 public:
  explicit SvmPin(std::shared_ptr<SvmMemory> memory) : memory_(std::move(memory)) {}
  ~SvmPin();
  SvmPin(const SvmPin&) = delete;
  SvmPin& operator=(const SvmPin&) = delete;

 private:
  std::shared_ptr<SvmMemory> memory_;
};

}  // namespace cl
