#include "objects/svm_memory.h"

#include <algorithm>

#include "objects/driver_lists.h"
#include "objects/loans.h"
#include "objects/queue_record.h"

namespace cl {
namespace {

bool contains(const std::vector<cl_command_queue>& queues, cl_command_queue queue) {
  return std::find(queues.begin(), queues.end(), queue) != queues.end();
}

/// Returns whether a command never ran because its dependencies failed. PoCL reports that as CL_DEVICE_NOT_FOUND.
bool neverRan(cl_int status) {
  return status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST || status == CL_DEVICE_NOT_FOUND;
}

}  // namespace

SvmMemory::SvmMemory(std::shared_ptr<SvmState> state_, const Runtime& runtime_, cl_context context_, void* pointer_,
                     size_t bytes_, std::shared_ptr<void> pin_)
    : runtime(runtime_),
      context(context_),
      pointer(pointer_),
      bytes(bytes_),
      writable(pointer_, bytes_),
      pin(std::move(pin_)),
      state(std::move(state_)) {
  check(runtime.clRetainContext(context), "clRetainContext");
  state->living_.insert(this);
}

SvmMemory::~SvmMemory() {
  state->scheduleFree(*this);
  if (bound != nullptr) runtime.clReleaseCommandQueue.quietly(bound);
  if (context != nullptr) runtime.clReleaseContext.quietly(context);
}

void SvmMemory::bind(cl_command_queue queue) {
  if (queue != nullptr) check(runtime.clRetainCommandQueue(queue), "clRetainCommandQueue");
  if (bound != nullptr) runtime.clReleaseCommandQueue.quietly(bound);
  bound = queue;
}

void SvmMemory::use(const Slot& queue) {
  if (loanState) loanState->use(queue);
  const auto used = queue.as<cl_command_queue>();
  if (!users.empty() && users.back() == used) return;
  if (!contains(users, used)) users.push_back(used);
  queueRecord(queue).svm = state;
}

SvmState::SvmState(std::shared_ptr<Channel> channel, double listener)
    : channel_(std::move(channel)), listener_(listener) {}

void SvmState::useAll(const Slot& queue) {
  for (SvmMemory* memory : living_) {
    if (memory->context == queue.context) memory->use(queue);
  }
}

void SvmState::notifyListener() { channel_->post({listener_, static_cast<double>(pendingFrees_.size()), {}}); }

size_t SvmState::reap() {
  std::vector<std::shared_ptr<SvmMemory>> returned;
  {
    const std::lock_guard lock(mutex_);
    returned.swap(returned_);
  }
  returned.clear();
  for (size_t i = 0; i < pendingFrees_.size();) {
    if (pendingFrees_[i].isReady()) {
      PendingFree pending = std::move(pendingFrees_[i]);
      pendingFrees_.erase(pendingFrees_.begin() + static_cast<ptrdiff_t>(i));
      pending.end(true);
    } else {
      ++i;
    }
  }
  return pendingFrees_.size();
}

void SvmState::queueEnds(cl_command_queue queue) {
  std::shared_ptr<Checkpoint> checkpoint;
  for (SvmMemory* memory : living_) {
    const auto user = std::find(memory->users.begin(), memory->users.end(), queue);
    if (user == memory->users.end() && memory->bound != queue) continue;
    if (!checkpoint) checkpoint = std::make_shared<Checkpoint>(memory->runtime, queue);
    if (user != memory->users.end()) memory->users.erase(user);
    std::erase_if(memory->checkpoints, [](const auto& past) { return past->passed(); });
    memory->checkpoints.push_back(checkpoint);
  }
}

bool SvmState::PendingFree::isReady() {
  if (freeing) {
    const cl_int status = freeing->status();
    if (status > CL_COMPLETE) return false;
    if (status == CL_COMPLETE) return true;
    // The command never ran, so the memory must be freed here, after the same commands. After other failures the driver
    // may have freed it.
    if (!neverRan(status)) return true;
    checkpoints.push_back(std::make_shared<Checkpoint>(*runtime, freeing->queue()));
    freeing = nullptr;
  }
  std::erase_if(checkpoints, [](const auto& past) { return past->passed(); });
  return checkpoints.empty();
}

void SvmState::PendingFree::end(bool free) {
  if (!free) {
    static_cast<void>(new std::shared_ptr<void>(std::move(pin)));
    return;
  }
  const bool mustFree = !freeing || neverRan(freeing->status());
  if (mustFree && !pin) runtime->clSVMFree.quietly(context, pointer);
  runtime->clReleaseContext.quietly(context);
}

cl_event SvmState::enqueueFree(SvmMemory& memory, cl_command_queue queue, const std::vector<cl_event>& events) {
  const Runtime& runtime = memory.runtime;
  PendingFree pending{&runtime, memory.context, memory.pointer, {}, std::move(memory.checkpoints), {}};
  memory.checkpoints.clear();
  std::vector<cl_command_queue> others = memory.users;
  // On an out-of-order queue, the command must also wait for its own queue's earlier commands.
  const bool ordered = isInOrder(runtime, queue);
  if (ordered) std::erase(others, queue);
  std::vector<cl_event> waits = events;
  try {
    std::erase_if(pending.checkpoints, [](const auto& past) { return past->passed(); });
    for (const cl_command_queue other : others)
      pending.checkpoints.push_back(std::make_shared<Checkpoint>(runtime, other));
    for (const auto& checkpoint : pending.checkpoints) waits.push_back(checkpoint->event());
    cl_event event = nullptr;
    check(runtime.clEnqueueSVMFree(queue, 1, permanentList(memory.pointer), nullptr, nullptr,
                                   static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(), &event),
          "clEnqueueSVMFree");
    runtime.clFlush.quietly(queue);
    memory.pointer = nullptr;
    // Without a reference to the event, a failure of the command could not be detected.
    if (runtime.clRetainEvent(event) != CL_SUCCESS) return event;
    pending.freeing = std::make_shared<Checkpoint>(runtime, queue, event);
    // `pending` now owns the reference to the context.
    memory.context = nullptr;
    pendingFrees_.push_back(std::move(pending));
    notifyListener();
    return event;
  } catch (const Failure&) {
    memory.checkpoints = std::move(pending.checkpoints);
    throw;
  }
}

void SvmState::scheduleFree(SvmMemory& memory) {
  Mode mode;
  {
    const std::lock_guard lock(mutex_);
    mode = mode_;
  }
  if (mode == Mode::Open) living_.erase(&memory);
  if (memory.pointer == nullptr) return;
  PendingFree pending{&memory.runtime, memory.context, memory.pointer, std::move(memory.pin), {}, {}};
  if (mode == Mode::Open) {
    std::erase_if(memory.checkpoints, [](const auto& past) { return past->passed(); });
    const bool usedElsewhere =
        !memory.checkpoints.empty() || std::any_of(memory.users.begin(), memory.users.end(),
                                                   [&](cl_command_queue user) { return user != memory.bound; });
    if (memory.bound != nullptr && !pending.pin && !usedElsewhere) {
      try {
        memory.runtime.clReleaseEvent.quietly(enqueueFree(memory, memory.bound, {}));
        return;
      } catch (const Failure&) {
        // Fall back to freeing it without a command.
      }
    }
    if (memory.bound != nullptr && !contains(memory.users, memory.bound)) memory.users.push_back(memory.bound);
    pending.checkpoints = std::move(memory.checkpoints);
    for (const cl_command_queue user : memory.users)
      pending.checkpoints.push_back(std::make_shared<Checkpoint>(memory.runtime, user));
  }
  // `pending` now owns the reference to the context.
  memory.context = nullptr;
  if (mode != Mode::Open) {
    pending.end(mode == Mode::Free);
  } else if (pending.isReady()) {
    pending.end(true);
  } else {
    pendingFrees_.push_back(std::move(pending));
    notifyListener();
  }
}

void SvmState::close(bool quiet) {
  std::vector<std::shared_ptr<SvmMemory>> returned;
  {
    const std::lock_guard lock(mutex_);
    mode_ = quiet ? Mode::Free : Mode::Leak;
    returned.swap(returned_);
  }
  living_.clear();
  for (PendingFree& pending : pendingFrees_) pending.end(quiet);
  pendingFrees_.clear();
}

SvmPin::~SvmPin() {
  const std::shared_ptr<SvmState> state = memory_->state;
  {
    const std::lock_guard lock(state->mutex_);
    if (state->mode_ != SvmState::Mode::Open) return;
    state->returned_.push_back(std::move(memory_));
  }
  state->channel_->post({state->listener_, 1, {}});
}

}  // namespace cl
