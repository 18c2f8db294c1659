// The lifetime of shared virtual memory.
//
// OpenCL counts no references to it: what frees it must know that no command uses it any more, and a kernel that still
// runs in freed memory ends the process. So:
//  - A block is shared by everything that may still reach it: its handle, the ArrayBuffers over it, maps, buffers made
//    over it, kernels that were told of it. When the last of them lets go, it is freed behind the commands that use it.
//  - Which queues those are is noted when a kernel with shared virtual memory among its arguments is launched, and by
//    every other command on it. A kernel's record says whether it has any (KernelRecord::notesUse), so that launches
//    without pay for one look at a flag that is in the cache anyway.
//  - Memory that is bound to a queue, and was used on no other, is freed by a command of that queue. Any other is freed
//    by us, when a marker behind its last commands on each queue has completed. Nobody waits: the JavaScript side calls
//    reap() now and then while there is such memory. Driver callbacks would be told sooner, but PoCL does not call them
//    for commands that fail.
//  - A queue that ends leaves a marker with the memory that was used on it.
//
// Threads: all of this belongs to the JavaScript thread. Only SvmPin is for others: drivers let go of buffers wherever
// they like. When the environment ends, commands have been waited for, and what is left is freed at once; or they could
// not be waited for, and it is leaked, which is safe.
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

/// One block. Made by SvmState; freed as the head of this file says when nobody shares it any more.
struct SvmMemory {
  const Runtime& runtime;
  /// Ours, so that there is something to give the memory back to.
  cl_context context;
  void* pointer;
  size_t bytes;
  const ScriptMemory writable;
  /// Host memory that somebody else made, where a device can use any: then there is nothing to free.
  std::shared_ptr<void> pin;
  /// How many maps of it have ended.
  uint64_t unmaps = 0;
  /// The queue that frees it.
  cl_command_queue bound = nullptr;
  /// Live queues that it was used on.
  std::vector<cl_command_queue> users;
  /// Where it was in queues that have ended.
  std::vector<std::shared_ptr<Checkpoint>> before;
  std::shared_ptr<SvmState> state;
  /// Who has it now, if it is lent (lending.h).
  std::shared_ptr<Lending> lending;

  SvmMemory(std::shared_ptr<SvmState> state_, const Runtime& runtime_, cl_context context_, void* pointer_,
            size_t bytes_, std::shared_ptr<void> pin_);
  ~SvmMemory();
  SvmMemory(const SvmMemory&) = delete;
  SvmMemory& operator=(const SvmMemory&) = delete;

  void bind(cl_command_queue queue);
  /// Remembers that a command of this queue uses it.
  void use(const Slot& queue);
};

/// What one environment has of it.
class SvmState : public std::enable_shared_from_this<SvmState> {
 public:
  /// `listener` is the id under which JavaScript is told that there is something to reap.
  SvmState(std::shared_ptr<Channel> channel, double listener);

  /// Remembers the use of all memory of a context, by a kernel that may reach any.
  void useAll(const Slot& queue);
  /// Frees what no command uses any more; how many blocks are left to free.
  size_t reap();
  /// To be called before a queue's last reference is given back.
  void queueEnds(cl_command_queue queue);
  /// Frees it by a command: its event. The block must belong to nobody else.
  cl_event enqueueFree(SvmMemory& memory, cl_command_queue queue, const std::vector<cl_event>& events);
  /// The environment ends; `quiet` says whether all commands have ended.
  void close(bool quiet);

 private:
  friend struct SvmMemory;
  friend class SvmPin;

  /// What is left of a block: memory to be freed when all checkpoints have been passed.
  struct Grave {
    const Runtime* runtime;
    cl_context context;
    void* pointer;
    std::shared_ptr<void> pin;
    std::vector<std::shared_ptr<Checkpoint>> before;
    /// The command that frees it, instead of us.
    std::shared_ptr<Checkpoint> freeing;

    bool isOver();
    /// With `frees` false the memory is left alone.
    void end(bool frees);
  };

  void bury(SvmMemory& memory);
  void tell();

  std::shared_ptr<Channel> channel_;
  double listener_;
  std::unordered_set<SvmMemory*> living_;
  std::vector<Grave> graves_;
  enum class Mode { Open, Free, Leak } mode_ = Mode::Open;
  std::mutex mutex_;
  std::vector<std::shared_ptr<SvmMemory>> returned_;
};

/// A share of a block for what is let go on a driver's thread.
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
