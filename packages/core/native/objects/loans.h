// Loans of pooled memory: a pool gives one block to one owner after another. Three guarantees hold:
//
//  - No owner's commands overlap those of a former owner. A block records on which queues its owners have used it.
//    Before an owner's first command on a queue, a barrier makes the queue wait for the other queues' earlier commands.
//    An in-order queue needs no barrier for its own commands.
//  - A former owner cannot access the memory. Loans are numbered. Everything that stores a handle for later commands (a
//    kernel's arguments, lists, command buffers) also stores the number and is refused when it has changed. Sub-buffers
//    of the memory and images over it are released with the loan.
//  - Memory that is still mapped at the end of its loan, or whose ArrayBuffer was transferred away, is not reused:
//    endLoan() reports it.
//
// JavaScript thread only. As everywhere, other code must not enqueue to the queues without this package's knowledge.
#pragma once

#include <memory>
#include <unordered_set>
#include <vector>

#include "driver/checkpoint.h"
#include "napi/call.h"

namespace cl {

class LoanState;

/// The loan states of one environment.
struct LoanStates {
  std::unordered_set<LoanState*> all;

  /// Must be called before a queue's last reference is released.
  void queueEnds(cl_command_queue queue);
};

/// The loan state of one block, shared by the slots of the block and of its dependents.
class LoanState : public std::enable_shared_from_this<LoanState> {
 public:
  /// `parent` is the state of the memory that this block is a part of, if that is pooled too.
  LoanState(std::shared_ptr<LoanStates> states, const Runtime& runtime, std::shared_ptr<LoanState> parent);
  ~LoanState();
  LoanState(const LoanState&) = delete;
  LoanState& operator=(const LoanState&) = delete;

  /// The number of the current loan.
  uint64_t loan() const { return loan_; }

  /// Records that a command of this queue is about to use the memory, and makes the queue wait for former owners.
  void use(const Slot& queue) {
    if (queues_.empty() || queues_.back() != queue.object) [[unlikely]]
      noteUse(queue);
    if (parent_) [[unlikely]]
      parent_->use(queue);
  }

  /// Returns whether all commands of former owners have ended.
  bool isQuiet();

  /// Returns a token that maps hold as long as they use the memory.
  std::shared_ptr<void> share();

  /// Adds a memory object that is released with the loan.
  void addDependent(Handle handle) { dependents_.push_back(handle); }

  /// Ends the loan. Returns false if something still uses the memory.
  bool end(HandleTable& handles);

 private:
  friend struct LoanStates;

  /// A former owner's use on a queue: up to the checkpoint, or up to the queue's current end if that is null.
  struct FormerUse {
    cl_command_queue queue;
    std::shared_ptr<Checkpoint> until;
  };

  void noteUse(const Slot& queue);
  void waitForFormerUses(const Slot& queue);
  void queueEnds(cl_command_queue queue, std::shared_ptr<Checkpoint>& checkpoint);

  std::shared_ptr<LoanStates> states_;
  const Runtime& runtime_;
  std::shared_ptr<LoanState> parent_;
  uint64_t loan_ = 0;
  /// Live queues on which the current owner has used the memory, the latest last.
  std::vector<cl_command_queue> queues_;
  std::vector<FormerUse> formerUses_;
  std::vector<Handle> dependents_;
  std::shared_ptr<void> share_;
};

/// Records that a command of the queue is about to use the memory. Must be called for each memory object of a command.
inline void noteMemoryUse(const Slot& memory, const Slot& queue) {
  if (memory.loanState) [[unlikely]]
    memory.loanState->use(queue);
}

/// The loan for which a handle was stored.
struct Loan {
  std::shared_ptr<LoanState> state;
  uint64_t number = 0;

  Loan() = default;
  explicit Loan(std::shared_ptr<LoanState> current) : state(std::move(current)), number(state ? state->loan() : 0) {}
  explicit Loan(const Slot& memory) : Loan(memory.loanState) {}
  bool isCurrent() const { return !state || state->loan() == number; }
};

/// Links a memory object that was created from another to the other's loan, with which it is released. Returns its
/// handle.
Handle addDependent(Call& call, const Slot& parent, Handle handle);

}  // namespace cl
