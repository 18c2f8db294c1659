#include "napi/completion.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "driver/large_stack.h"
#include "napi/event_watches.h"

namespace cl {

Channel::Channel(Napi::Env env, Napi::Function settle, double* block, size_t capacity)
    : env_(env),
      function_(decltype(function_)::New(env, settle, "@cl/core completion", 0, 1, this)),
      block_(block),
      capacity_(capacity) {
  function_.Unref(env);
}

void Channel::post(Completion completion) {
  const std::lock_guard lock(mutex_);
  if (!open_) return;
  completed_.push_back(std::move(completion));
  // If the list was not empty, the loop has already been woken.
  if (completed_.size() == 1) function_.NonBlockingCall();
}

void Channel::watch(const Runtime& runtime, cl_event event, cl_int stage, double id, std::shared_ptr<void> pin) {
  const auto listener = id == 0 ? Waiters::Listener::None : Waiters::Listener::JavaScript;
  if (waiters_->wait(runtime, event, stage, listener, [self = shared_from_this(), id, pin](cl_int status) {
        if (id != 0) self->post({id, static_cast<double>(status), {}});
      }))
    return;
  watchEvent(runtime, event, stage, {shared_from_this(), id, {}, std::move(pin)});
}

void Channel::watch(const Runtime& runtime, cl_event event, std::function<void(cl_int)> onEnd) {
  if (waiters_->wait(runtime, event, CL_COMPLETE, Waiters::Listener::JavaScript, onEnd)) return;
  watchEvent(runtime, event, CL_COMPLETE, {shared_from_this(), 0, std::move(onEnd)});
}

void Channel::run(double id, std::function<double()> work, Stack stack) {
  {
    const std::lock_guard lock(mutex_);
    ++jobs_;
  }
  // If the system has no thread left, this throws, and teardown does not wait for the job.
  const auto start = [&](auto job) {
    try {
      if (stack == Stack::Large)
        startCompilerThread(std::move(job));
      else
        std::thread(std::move(job)).detach();
    } catch (const std::exception&) {
      const std::lock_guard lock(mutex_);
      --jobs_;
      throw Failure{"DRIVER", "std::thread", CL_OUT_OF_HOST_MEMORY, {}, -1};
    }
  };
  start([self = shared_from_this(), id, work = std::move(work)]() mutable {
    double status = 0;
    std::string text;
    try {
      status = work();
    } catch (const Failure& failure) {
      status = failure.status == CL_SUCCESS ? CL_INVALID_OPERATION : failure.status;
      text = failure.routine;
    } catch (const std::exception& error) {
      status = CL_OUT_OF_HOST_MEMORY;
      text = error.what();
    }
    // Release what the job holds before its end becomes visible.
    work = nullptr;
    self->post({id, status, std::move(text)});
    const std::lock_guard lock(self->mutex_);
    --self->jobs_;
    self->idle_.notify_all();
  });
}

void Channel::hold(bool waiting) {
  if (waiting)
    function_.Ref(env_);
  else
    function_.Unref(env_);
}

void Channel::wake(Napi::Env env, Napi::Function settle, Channel* channel, void*) {
  // Without an environment, the remaining completions of a closed channel are dropped.
  if (env != nullptr) channel->deliver(env, settle);
}

void Channel::deliver(Napi::Env env, Napi::Function settle) {
  std::vector<Completion> arrived;
  {
    const std::lock_guard lock(mutex_);
    arrived.swap(completed_);
  }
  for (size_t begin = 0; begin < arrived.size(); begin += capacity_) {
    const size_t count = std::min(capacity_, arrived.size() - begin);
    batch_.assign(std::make_move_iterator(arrived.begin() + static_cast<ptrdiff_t>(begin)),
                  std::make_move_iterator(arrived.begin() + static_cast<ptrdiff_t>(begin + count)));
    for (size_t i = 0; i < count; ++i) {
      block_[2 * i] = batch_[i].id;
      block_[2 * i + 1] = batch_[i].status;
    }
    // Node reports an exception as uncaught. settle() itself catches what user callbacks throw.
    settle.Call({Napi::Number::New(env, static_cast<double>(count))});
  }
}

void Channel::close() {
  const std::lock_guard lock(mutex_);
  if (!open_) return;
  open_ = false;
  completed_.clear();
  function_.Abort();
}

void Channel::dropPin(std::shared_ptr<void> pin) {
  // Under the lock, so that the engine cannot end meanwhile.
  const std::lock_guard lock(engineMutex_);
  if (engineAlive_)
    pin.reset();
  else
    static_cast<void>(new std::shared_ptr<void>(std::move(pin)));
}

void Channel::engineEnds() {
  waiters_->stopPolling();
  const std::lock_guard lock(engineMutex_);
  engineAlive_ = false;
}

bool Channel::waitForJobs(int milliseconds) {
  std::unique_lock lock(mutex_);
  return idle_.wait_for(lock, std::chrono::milliseconds(milliseconds), [this] { return jobs_ == 0; });
}

}  // namespace cl
