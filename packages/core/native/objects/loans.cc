#include "objects/loans.h"

#include <algorithm>

#include "exports.h"
#include "objects/barrier.h"
#include "objects/queue_record.h"
#include "objects/svm.h"

namespace cl {

LoanState::LoanState(std::shared_ptr<LoanStates> states, const Runtime& runtime, std::shared_ptr<LoanState> parent)
    : states_(std::move(states)), runtime_(runtime), parent_(std::move(parent)) {
  states_->all.insert(this);
}

LoanState::~LoanState() { states_->all.erase(this); }

void LoanState::noteUse(const Slot& queue) {
  const auto used = queue.as<cl_command_queue>();
  if (std::find(queues_.begin(), queues_.end(), used) != queues_.end()) return;
  waitForFormerUses(queue);
  queues_.push_back(used);
  queueRecord(queue).loanStates = states_;
}

void LoanState::waitForFormerUses(const Slot& queue) {
  const auto target = queue.as<cl_command_queue>();
  std::vector<cl_event> waits;
  for (size_t i = 0; i < formerUses_.size();) {
    FormerUse& former = formerUses_[i];
    if (former.queue == target && !former.until && queueRecord(queue).inOrder) {
      ++i;
      continue;
    }
    if (!former.until) former.until = std::make_shared<Checkpoint>(runtime_, former.queue);
    if (former.until->passed()) {
      formerUses_.erase(formerUses_.begin() + static_cast<ptrdiff_t>(i));
    } else {
      waits.push_back(former.until->event());
      ++i;
    }
  }
  if (waits.empty()) return;
  enqueueBarrier(queue, waits);
}

bool LoanState::isQuiet() {
  for (FormerUse& former : formerUses_) {
    if (!former.until) former.until = std::make_shared<Checkpoint>(runtime_, former.queue);
  }
  std::erase_if(formerUses_, [](const FormerUse& former) { return former.until->passed(); });
  for (const FormerUse& former : formerUses_) former.until->confirm();
  return formerUses_.empty() && (!parent_ || parent_->isQuiet());
}

std::shared_ptr<void> LoanState::share() {
  if (!share_) share_ = std::make_shared<char>();
  return share_;
}

bool LoanState::end(HandleTable& handles) {
  for (const Handle dependent : dependents_) {
    // The object may have been released before and its handle reused.
    const Slot* slot = handles.find(dependent, Kind::Memory);
    if (slot != nullptr && slot->dependsOn == this) handles.release(dependent);
  }
  dependents_.clear();
  ++loan_;
  for (const cl_command_queue queue : queues_) {
    const auto same = std::find_if(formerUses_.begin(), formerUses_.end(),
                                   [&](const FormerUse& former) { return former.queue == queue; });
    if (same == formerUses_.end())
      formerUses_.push_back({queue, nullptr});
    else
      same->until = nullptr;
  }
  queues_.clear();
  const bool stillUsed = share_ && share_.use_count() > 1;
  share_ = nullptr;
  return !stillUsed;
}

void LoanState::queueEnds(cl_command_queue queue, std::shared_ptr<Checkpoint>& checkpoint) {
  const auto place = [&] {
    if (!checkpoint) checkpoint = std::make_shared<Checkpoint>(runtime_, queue);
    return checkpoint;
  };
  for (FormerUse& former : formerUses_) {
    if (former.queue == queue && !former.until) former.until = place();
  }
  // The current owner's use becomes a former use: a later queue at the same address is a different one.
  const auto current = std::find(queues_.begin(), queues_.end(), queue);
  if (current == queues_.end()) return;
  queues_.erase(current);
  formerUses_.push_back({queue, place()});
}

void LoanStates::queueEnds(cl_command_queue queue) {
  std::shared_ptr<Checkpoint> checkpoint;
  for (LoanState* state : all) state->queueEnds(queue, checkpoint);
}

Handle addDependent(Call& call, const Slot& parent, Handle handle) {
  if (!parent.loanState) return handle;
  Slot* slot = call.environment->handles.peek(handle);
  slot->loanState = parent.loanState;
  slot->dependsOn = parent.loanState.get();
  parent.loanState->addDependent(handle);
  return handle;
}

namespace {

/// Returns the slot of a memory object or an SVM allocation. Does not count as a use.
Slot& lendable(Call& call, size_t i) {
  HandleTable& handles = call.environment->handles;
  const Handle handle = call.integer(i);
  if (Slot* svm = handles.find(handle, Kind::Svm)) return *svm;
  return handles.lookUp(handle, Kind::Memory, static_cast<int>(i));
}

/// makeLendable(memory): starts numbering the memory's loans
Napi::Value makeLendable(Call& call) {
  Slot& slot = lendable(call, 0);
  Environment& environment = *call.environment;
  if (!environment.loanStates) environment.loanStates = std::make_shared<LoanStates>();
  slot.loanState = std::make_shared<LoanState>(environment.loanStates, *slot.runtime, slot.loanState);
  if (slot.kind == Kind::Svm) svmOf(slot)->loanState = slot.loanState;
  return {};
}

/// Ends the current loan. Returns false if something still uses the memory.
bool end(Call& call, const Slot& slot) {
  if (!slot.loanState) invalid("expected memory for which makeLendable() was called", 0);
  HandleTable& handles = call.environment->handles;
  const bool free = slot.loanState->end(handles);
  handles.invalidateCaches();
  return free;
}

/// endLoan(buffer) -> true if something still uses the memory, else undefined, which costs nothing to create
Napi::Value endLoan(Call& call) {
  return end(call, call.environment->handles.lookUp(call.integer(0), Kind::Memory, 0)) ? Napi::Value()
                                                                                       : call.result(true);
}

/// endSvmLoan(svm, array: ArrayBuffer | undefined) -> undefined if the memory is free; true if something still uses it;
/// false if V8, or a transfer that reads the array, will release it soon
Napi::Value endSvmLoan(Call& call) {
  const Slot& slot = call.slot(0, Kind::Svm);
  const bool detached = detachSvm(call, slot, 1);
  if (!end(call, slot) || !detached) return call.result(true);
  return svmOf(slot).use_count() == 1 ? Napi::Value() : call.result(!call.has(1));
}

/// isReached(svm) -> whether anything but its handle uses it
Napi::Value isReached(Call& call) { return call.result(svmOf(call.slot(0, Kind::Svm)).use_count() > 1); }

/// noteMemoryUse(memory, queue): records a use as if a command of the queue used the memory now
Napi::Value noteMemoryUseExport(Call& call) {
  const Slot& slot = lendable(call, 0);
  const Slot& queue = call.slot(1, Kind::Queue);
  if (queue.context != slot.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "queue", 1};
  noteMemoryUse(slot, queue);
  return {};
}

/// isQuiet(memory) -> whether all commands of former owners have ended
Napi::Value isQuiet(Call& call) {
  const Slot& slot = lendable(call, 0);
  return call.result(!slot.loanState || slot.loanState->isQuiet());
}

/// collectGarbage(): runs a full garbage collection, by reporting more external memory than V8 allows. Needs no command
/// line flag.
Napi::Value collectGarbage(Call& call) {
  call.environment->requireInitialized();
  constexpr int64_t excess = int64_t{1} << 50;
  Napi::MemoryManagement::AdjustExternalMemory(call.env, excess);
  Napi::MemoryManagement::AdjustExternalMemory(call.env, -excess);
  return {};
}

}  // namespace

void addLoanExports(Exports& exports) {
  exports.add({{"makeLendable", function<makeLendable>},
               {"endLoan", function<endLoan>},
               {"endSvmLoan", function<endSvmLoan>},
               {"isReached", function<isReached>},
               {"noteMemoryUse", function<noteMemoryUseExport>},
               {"isQuiet", function<isQuiet>},
               {"collectGarbage", function<collectGarbage>}});
}

}  // namespace cl
