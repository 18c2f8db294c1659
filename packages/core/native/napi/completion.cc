#include "napi/completion.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "driver/large_stack.h"
#include "napi/event_watches.h"

namespace cl {

Channel::Channel(napi_env env, napi_value settle, double* block, size_t capacity)
    : env_(env), block_(block), capacity_(capacity) {
  napi_value name = nullptr;
  napi_create_string_utf8(env, "@cl/core completion", NAPI_AUTO_LENGTH, &name);
  if (napi_create_threadsafe_function(env, settle, nullptr, name, 0, 1, nullptr, nullptr, this, wake, &function_) !=
      napi_ok)
    invalid("the completion channel could not be made");
  napi_unref_threadsafe_function(env, function_);
}

void Channel::post(Completion completion) {
  const std::lock_guard lock(mutex_);
  if (!open_) return;
  done_.push_back(std::move(completion));
  // The loop is already on its way if something was waiting before us.
  if (done_.size() == 1) napi_call_threadsafe_function(function_, nullptr, napi_tsfn_nonblocking);
}

void Channel::watch(const Runtime& runtime, cl_event event, cl_int stage, double id, std::shared_ptr<void> pin) {
  const auto isTold = id == 0 ? Waiters::Told::Nobody : Waiters::Told::JavaScript;
  if (waiters_->wait(runtime, event, stage, isTold, [self = shared_from_this(), id, pin](cl_int status) {
        if (id != 0) self->post({id, static_cast<double>(status), {}});
      }))
    return;
  watchEvent(runtime, event, stage, {shared_from_this(), id, std::move(pin)});
}

void Channel::run(double id, std::function<double()> work, Stack stack) {
  {
    const std::lock_guard lock(mutex_);
    ++jobs_;
  }
  // Fails where the system has no thread left; JavaScript is then told, and teardown does not wait.
  const auto started = [&](auto job) {
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
  started([self = shared_from_this(), id, work = std::move(work)]() mutable {
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
    // What the work held is given back before anybody hears of its end.
    work = nullptr;
    self->post({id, status, std::move(text)});
    const std::lock_guard lock(self->mutex_);
    --self->jobs_;
    self->idle_.notify_all();
  });
}

void Channel::hold(bool waiting) {
  if (waiting)
    napi_ref_threadsafe_function(env_, function_);
  else
    napi_unref_threadsafe_function(env_, function_);
}

void Channel::wake(napi_env env, napi_value callback, void* context, void*) {
  if (env == nullptr) return;
  static_cast<Channel*>(context)->deliver(env, callback);
}

void Channel::deliver(napi_env env, napi_value settle) {
  std::vector<Completion> arrived;
  {
    const std::lock_guard lock(mutex_);
    arrived.swap(done_);
  }
  napi_value undefined = nullptr;
  napi_get_undefined(env, &undefined);
  for (size_t begin = 0; begin < arrived.size(); begin += capacity_) {
    const size_t count = std::min(capacity_, arrived.size() - begin);
    batch_.assign(std::make_move_iterator(arrived.begin() + static_cast<ptrdiff_t>(begin)),
                  std::make_move_iterator(arrived.begin() + static_cast<ptrdiff_t>(begin + count)));
    for (size_t i = 0; i < count; ++i) {
      block_[2 * i] = batch_[i].id;
      block_[2 * i + 1] = batch_[i].status;
    }
    napi_value argument = nullptr;
    napi_create_double(env, static_cast<double>(count), &argument);
    // An exception stays pending and Node reports it as uncaught; settle() itself catches what user callbacks throw.
    if (napi_call_function(env, undefined, settle, 1, &argument, nullptr) != napi_ok) return;
  }
}

void Channel::close() {
  const std::lock_guard lock(mutex_);
  if (!open_) return;
  open_ = false;
  done_.clear();
  napi_release_threadsafe_function(function_, napi_tsfn_abort);
}

void Channel::dropPin(std::shared_ptr<void> pin) {
  // Freed under the lock, so that the engine does not end in the middle of it.
  const std::lock_guard lock(engineMutex_);
  if (engineLives_)
    pin.reset();
  else
    static_cast<void>(new std::shared_ptr<void>(std::move(pin)));
}

void Channel::engineEnds() {
  waiters_->stopAsking();
  const std::lock_guard lock(engineMutex_);
  engineLives_ = false;
}

bool Channel::waitForJobs(int milliseconds) {
  std::unique_lock lock(mutex_);
  return idle_.wait_for(lock, std::chrono::milliseconds(milliseconds), [this] { return jobs_ == 0; });
}

}  // namespace cl
