// Memory that is lent to one owner after another, as a pool does with its blocks. Three things hold, whatever they do:
//
//  - Nobody's commands meet those of a former owner. A block knows on which queues its owners have used it. Before an
//    owner's first command on a queue, a barrier holds that queue back until the other queues have done what former
//    owners may have given them. A queue that keeps its order needs none for its own commands.
//  - A former owner does not reach the memory any more. Loans are numbered, and whatever keeps a handle to launch or to
//    record with it (a kernel's arguments, lists, command buffers) keeps the number and is refused when that has
//    changed. Parts of the memory, and images over it, are released with the loan.
//  - Memory that is still mapped when its loan ends, or whose ArrayBuffer was transferred away, must not be lent again:
//    endLoan() says so.
//
// All of it belongs to the JavaScript thread. Queues must not be used behind our back, as everywhere.
#pragma once

#include <memory>
#include <unordered_set>
#include <vector>

#include "driver/checkpoint.h"
#include "napi/call.h"

namespace cl {

class Lending;

/// What one environment lends.
struct Lendings {
  std::unordered_set<Lending*> living;

  /// To be called before a queue's last reference is given back.
  void queueEnds(cl_command_queue queue);
};

class Lending : public std::enable_shared_from_this<Lending> {
 public:
  /// `outer` is what this memory is a part of, if that is lent itself.
  Lending(std::shared_ptr<Lendings> all, const Runtime& runtime, std::shared_ptr<Lending> outer);
  ~Lending();
  Lending(const Lending&) = delete;
  Lending& operator=(const Lending&) = delete;

  /// The number of the present loan.
  uint64_t loan() const { return loan_; }

  /// A command of this queue is about to use the memory.
  void use(const Slot& queue) {
    if (users_.empty() || users_.back() != queue.object) [[unlikely]]
      noteUse(queue);
    if (outer_) [[unlikely]]
      outer_->use(queue);
  }

  /// True if no command of a former owner can still be running.
  bool isQuiet();

  /// To be held by whatever reaches the memory beyond its handle: maps.
  std::shared_ptr<void> share();

  /// A memory object that ends with the loan.
  void ownsPart(Handle part) { parts_.push_back(part); }

  /// Ends the loan; false if something still reaches the memory.
  bool end(HandleTable& handles);

 private:
  friend struct Lendings;

  /// Where former owners have used it: on a live queue anywhere up to now, or up to a place.
  struct Former {
    cl_command_queue queue;
    std::shared_ptr<Checkpoint> until;
  };

  void noteUse(const Slot& queue);
  void holdBack(const Slot& queue);
  void queueEnds(cl_command_queue queue, std::shared_ptr<Checkpoint>& checkpoint);

  std::shared_ptr<Lendings> all_;
  const Runtime& runtime_;
  std::shared_ptr<Lending> outer_;
  uint64_t loan_ = 0;
  /// Live queues that the present owner has used it on, the latest last.
  std::vector<cl_command_queue> users_;
  std::vector<Former> formers_;
  std::vector<Handle> parts_;
  std::shared_ptr<void> share_;
};

/// To be called with each memory that a command of the queue is about to use.
inline void useLent(const Slot& memory, const Slot& queue) {
  if (memory.lending) [[unlikely]]
    memory.lending->use(queue);
}

/// A handle that somebody keeps, with the loan that it was given for.
struct Loan {
  std::shared_ptr<Lending> lending;
  uint64_t number = 0;

  Loan() = default;
  explicit Loan(const Slot& memory) : lending(memory.lending), number(lending ? lending->loan() : 0) {}
  bool holds() const { return !lending || lending->loan() == number; }
};

/// The handle of a memory object that was made of another: it ends with the other's loan.
Handle addPart(Call& call, const Slot& whole, Handle part);

}  // namespace cl
