#include "objects/lending.h"

#include <algorithm>

#include "exports.h"
#include "objects/barrier.h"
#include "objects/queue_record.h"
#include "objects/svm.h"

namespace cl {

Lending::Lending(std::shared_ptr<Lendings> all, const Runtime& runtime, std::shared_ptr<Lending> outer)
    : all_(std::move(all)), runtime_(runtime), outer_(std::move(outer)) {
  all_->living.insert(this);
}

Lending::~Lending() { all_->living.erase(this); }

void Lending::noteUse(const Slot& queue) {
  const auto used = queue.as<cl_command_queue>();
  if (std::find(users_.begin(), users_.end(), used) != users_.end()) return;
  holdBack(queue);
  users_.push_back(used);
  queueRecord(queue).lendings = all_;
}

void Lending::holdBack(const Slot& queue) {
  const auto target = queue.as<cl_command_queue>();
  std::vector<cl_event> waits;
  for (size_t i = 0; i < formers_.size();) {
    Former& former = formers_[i];
    if (former.queue == target && !former.until && queueRecord(queue).inOrder) {
      ++i;
      continue;
    }
    if (!former.until) former.until = std::make_shared<Checkpoint>(runtime_, former.queue);
    if (former.until->passed()) {
      formers_.erase(formers_.begin() + static_cast<ptrdiff_t>(i));
    } else {
      waits.push_back(former.until->event());
      ++i;
    }
  }
  if (waits.empty()) return;
  enqueueBarrier(queue, waits);
}

bool Lending::isQuiet() {
  for (Former& former : formers_) {
    if (!former.until) former.until = std::make_shared<Checkpoint>(runtime_, former.queue);
  }
  std::erase_if(formers_, [](const Former& former) { return former.until->passed(); });
  for (const Former& former : formers_) former.until->confirm();
  return formers_.empty() && (!outer_ || outer_->isQuiet());
}

std::shared_ptr<void> Lending::share() {
  if (!share_) share_ = std::make_shared<char>();
  return share_;
}

bool Lending::end(HandleTable& handles) {
  for (const Handle part : parts_) {
    // It may have been released before, and its handle be another's.
    const Slot* slot = handles.find(part, Kind::Memory);
    if (slot != nullptr && slot->partOf == this) handles.release(part);
  }
  parts_.clear();
  ++loan_;
  for (const cl_command_queue user : users_) {
    const auto same =
        std::find_if(formers_.begin(), formers_.end(), [&](const Former& one) { return one.queue == user; });
    if (same == formers_.end())
      formers_.push_back({user, nullptr});
    else
      same->until = nullptr;
  }
  users_.clear();
  const bool reached = share_ && share_.use_count() > 1;
  share_ = nullptr;
  return !reached;
}

void Lending::queueEnds(cl_command_queue queue, std::shared_ptr<Checkpoint>& checkpoint) {
  const auto place = [&] {
    if (!checkpoint) checkpoint = std::make_shared<Checkpoint>(runtime_, queue);
    return checkpoint;
  };
  for (Former& former : formers_) {
    if (former.queue == queue && !former.until) former.until = place();
  }
  // The present owner's commands there are a former's from now on: another queue of the same address would be another.
  const auto user = std::find(users_.begin(), users_.end(), queue);
  if (user == users_.end()) return;
  users_.erase(user);
  formers_.push_back({queue, place()});
}

void Lendings::queueEnds(cl_command_queue queue) {
  std::shared_ptr<Checkpoint> checkpoint;
  for (Lending* lending : living) lending->queueEnds(queue, checkpoint);
}

Handle addPart(Call& call, const Slot& whole, Handle part) {
  if (!whole.lending) return part;
  Slot* slot = call.environment->handles.peek(part);
  slot->lending = whole.lending;
  slot->partOf = whole.lending.get();
  whole.lending->ownsPart(part);
  return part;
}

namespace {

Slot& lendable(Call& call, size_t i) {
  HandleTable& handles = call.environment->handles;
  const Handle handle = call.integer(i);
  if (Slot* svm = handles.find(handle, Kind::Svm)) return *svm;
  return handles.look(handle, Kind::Memory, static_cast<int>(i));
}

/// makeLendable(memory): from now on its loans are counted.
Napi::Value makeLendable(Call& call) {
  Slot& slot = lendable(call, 0);
  Environment& environment = *call.environment;
  if (!environment.lendings) environment.lendings = std::make_shared<Lendings>();
  slot.lending = std::make_shared<Lending>(environment.lendings, *slot.runtime, slot.lending);
  if (slot.kind == Kind::Svm) svmOf(slot)->lending = slot.lending;
  return {};
}

/// Ends the loan of live memory; false if something still reaches it.
bool end(Call& call, const Slot& slot) {
  if (!slot.lending) invalid("memory that is lent was expected", 0);
  HandleTable& handles = call.environment->handles;
  const bool free = slot.lending->end(handles);
  handles.changed();
  return free;
}

/// endLoan(buffer) -> true if something still reaches it; else undefined, which is made for nothing
Napi::Value endLoan(Call& call) {
  return end(call, call.environment->handles.look(call.integer(0), Kind::Memory, 0)) ? Napi::Value()
                                                                                     : call.result(true);
}

/// endSvmLoan(svm, array: ArrayBuffer | undefined) -> the same; or false if V8, or a transfer that reads the array, has
/// still to let go of it
Napi::Value endSvmLoan(Call& call) {
  const Slot& slot = call.slot(0, Kind::Svm);
  const bool taken = takeBackSvm(call, slot, 1);
  if (!end(call, slot) || !taken) return call.result(true);
  return svmOf(slot).use_count() == 1 ? Napi::Value() : call.result(!call.has(1));
}

/// isReached(svm) -> whether anything but its handle reaches it
Napi::Value isReached(Call& call) { return call.result(svmOf(call.slot(0, Kind::Svm)).use_count() > 1); }

/// useOn(memory, queue): as if a command of the queue used it now.
Napi::Value useOn(Call& call) {
  const Slot& slot = lendable(call, 0);
  const Slot& queue = call.slot(1, Kind::Queue);
  if (queue.context != slot.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "queue", 1};
  useLent(slot, queue);
  return {};
}

/// isQuiet(memory) -> whether no command of a former owner can still be running
Napi::Value isQuiet(Call& call) {
  const Slot& slot = lendable(call, 0);
  return call.result(!slot.lending || slot.lending->isQuiet());
}

/// collectGarbage(): V8 collects everything when it is told of more memory than it may use; at once, and without a flag
/// on the command line.
Napi::Value collectGarbage(Call& call) {
  call.environment->requireInitialized();
  constexpr int64_t most = int64_t{1} << 50;
  Napi::MemoryManagement::AdjustExternalMemory(call.env, most);
  Napi::MemoryManagement::AdjustExternalMemory(call.env, -most);
  return {};
}

}  // namespace

void addLendingExports(Exports& exports) {
  exports.add({{"makeLendable", function<makeLendable>},
               {"endLoan", function<endLoan>},
               {"endSvmLoan", function<endSvmLoan>},
               {"isReached", function<isReached>},
               {"useOn", function<useOn>},
               {"isQuiet", function<isQuiet>},
               {"collectGarbage", function<collectGarbage>}});
}

}  // namespace cl
