#include "objects/svm_memory.h"

#include <algorithm>

#include "objects/driver_lists.h"
#include "objects/lending.h"
#include "objects/queue_record.h"

namespace cl {
namespace {

bool contains(const std::vector<cl_command_queue>& queues, cl_command_queue queue) {
  return std::find(queues.begin(), queues.end(), queue) != queues.end();
}

/// A command that never ran because what it waited for has failed; the second is PoCL's word for it.
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
  state->bury(*this);
  if (bound != nullptr) runtime.clReleaseCommandQueue.quietly(bound);
  if (context != nullptr) runtime.clReleaseContext.quietly(context);
}

void SvmMemory::bind(cl_command_queue queue) {
  if (queue != nullptr) check(runtime.clRetainCommandQueue(queue), "clRetainCommandQueue");
  if (bound != nullptr) runtime.clReleaseCommandQueue.quietly(bound);
  bound = queue;
}

void SvmMemory::use(const Slot& queue) {
  if (lending) lending->use(queue);
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

void SvmState::tell() { channel_->post({listener_, static_cast<double>(graves_.size()), {}}); }

size_t SvmState::reap() {
  std::vector<std::shared_ptr<SvmMemory>> returned;
  {
    const std::lock_guard lock(mutex_);
    returned.swap(returned_);
  }
  returned.clear();
  for (size_t i = 0; i < graves_.size();) {
    if (graves_[i].isOver()) {
      Grave grave = std::move(graves_[i]);
      graves_.erase(graves_.begin() + static_cast<ptrdiff_t>(i));
      grave.end(true);
    } else {
      ++i;
    }
  }
  return graves_.size();
}

void SvmState::queueEnds(cl_command_queue queue) {
  std::shared_ptr<Checkpoint> checkpoint;
  for (SvmMemory* memory : living_) {
    const auto user = std::find(memory->users.begin(), memory->users.end(), queue);
    if (user == memory->users.end() && memory->bound != queue) continue;
    if (!checkpoint) checkpoint = std::make_shared<Checkpoint>(memory->runtime, queue);
    if (user != memory->users.end()) memory->users.erase(user);
    std::erase_if(memory->before, [](const auto& one) { return one->passed(); });
    memory->before.push_back(checkpoint);
  }
}

bool SvmState::Grave::isOver() {
  if (freeing) {
    const cl_int status = freeing->status();
    if (status > CL_COMPLETE) return false;
    if (status == CL_COMPLETE) return true;
    // Then it is ours to free, behind the same commands; unless the driver may have done it all the same.
    if (!neverRan(status)) return true;
    before.push_back(std::make_shared<Checkpoint>(*runtime, freeing->queue()));
    freeing = nullptr;
  }
  std::erase_if(before, [](const auto& one) { return one->passed(); });
  return before.empty();
}

void SvmState::Grave::end(bool frees) {
  if (!frees) {
    static_cast<void>(new std::shared_ptr<void>(std::move(pin)));
    return;
  }
  const bool ours = !freeing || neverRan(freeing->status());
  if (ours && !pin) runtime->clSVMFree.quietly(context, pointer);
  runtime->clReleaseContext.quietly(context);
}

cl_event SvmState::enqueueFree(SvmMemory& memory, cl_command_queue queue, const std::vector<cl_event>& events) {
  const Runtime& runtime = memory.runtime;
  Grave grave{&runtime, memory.context, memory.pointer, {}, std::move(memory.before), {}};
  memory.before.clear();
  std::vector<cl_command_queue> others = memory.users;
  // Nothing but its order holds the command back behind others of its queue.
  const bool ordered = isInOrder(runtime, queue);
  if (ordered) std::erase(others, queue);
  std::vector<cl_event> waits = events;
  try {
    std::erase_if(grave.before, [](const auto& one) { return one->passed(); });
    for (const cl_command_queue other : others) grave.before.push_back(std::make_shared<Checkpoint>(runtime, other));
    for (const auto& checkpoint : grave.before) waits.push_back(checkpoint->event());
    cl_event event = nullptr;
    check(runtime.clEnqueueSVMFree(queue, 1, permanentList(memory.pointer), nullptr, nullptr,
                                   static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(), &event),
          "clEnqueueSVMFree");
    runtime.clFlush.quietly(queue);
    memory.pointer = nullptr;
    // Without a reference of our own a failure of the command would go unnoticed.
    if (runtime.clRetainEvent(event) != CL_SUCCESS) return event;
    grave.freeing = std::make_shared<Checkpoint>(runtime, queue, event);
    // With the reference that was the memory's.
    memory.context = nullptr;
    graves_.push_back(std::move(grave));
    tell();
    return event;
  } catch (const Failure&) {
    memory.before = std::move(grave.before);
    throw;
  }
}

void SvmState::bury(SvmMemory& memory) {
  Mode mode;
  {
    const std::lock_guard lock(mutex_);
    mode = mode_;
  }
  if (mode == Mode::Open) living_.erase(&memory);
  if (memory.pointer == nullptr) return;
  Grave grave{&memory.runtime, memory.context, memory.pointer, std::move(memory.pin), {}, {}};
  if (mode == Mode::Open) {
    std::erase_if(memory.before, [](const auto& one) { return one->passed(); });
    const bool elsewhere =
        !memory.before.empty() || std::any_of(memory.users.begin(), memory.users.end(),
                                              [&](cl_command_queue user) { return user != memory.bound; });
    if (memory.bound != nullptr && !grave.pin && !elsewhere) {
      try {
        memory.runtime.clReleaseEvent.quietly(enqueueFree(memory, memory.bound, {}));
        return;
      } catch (const Failure&) {
        // Then without a command.
      }
    }
    if (memory.bound != nullptr && !contains(memory.users, memory.bound)) memory.users.push_back(memory.bound);
    grave.before = std::move(memory.before);
    for (const cl_command_queue user : memory.users)
      grave.before.push_back(std::make_shared<Checkpoint>(memory.runtime, user));
  }
  // With the reference that was the memory's.
  memory.context = nullptr;
  if (mode != Mode::Open) {
    grave.end(mode == Mode::Free);
  } else if (grave.isOver()) {
    grave.end(true);
  } else {
    graves_.push_back(std::move(grave));
    tell();
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
  for (Grave& grave : graves_) grave.end(quiet);
  graves_.clear();
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
