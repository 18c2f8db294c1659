// The boundary between JavaScript and C++. A native function is `Napi::Value name(Call&)`; invoke<name> reads its
// arguments, runs it and converts a Failure to the JavaScript error that TypeScript creates. All conversions are here.
//
// A worker may be terminated during any call. Node-API then refuses every operation and node-addon-api throws a
// Napi::Error, which its wrapper drops because no JavaScript can run any more
// (NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS). Without that setting the process would end.
#pragma once

#include <napi.h>

#include <optional>
#include <string>
#include <vector>

#include "napi/environment.h"

namespace cl {

/// Host memory of a typed array argument.
struct HostBytes {
  uint8_t* data = nullptr;
  size_t bytes = 0;
  Napi::Value arrayBuffer;
};

/// The arguments of one call, and conversions of arguments and results. Lives on the stack of the call.
class Call {
 public:
  static constexpr size_t kMaxArguments = 10;

  explicit Call(const Napi::CallbackInfo& info);
  /// For hot functions, which request few arguments: Node fills every requested argument.
  Call(napi_env env_, napi_callback_info info, size_t capacity) : env(env_), count_(capacity) {
    void* data = nullptr;
    napi_get_cb_info(env, info, &count_, values_, nullptr, &data);
    environment = static_cast<Environment*>(data);
    if (count_ > capacity) count_ = capacity;
  }

  Napi::Env env;
  Environment* environment = nullptr;

  size_t count() const { return count_; }
  bool has(size_t i) const;

  // Node-API's conversions also check the type. Two calls of node-addon-api take 4 ns more per number.

  double number(size_t i) const {
    double value;
    if (i >= count_ || napi_get_value_double(env, values_[i], &value) != napi_ok) [[unlikely]]
      invalid("expected a number", static_cast<int>(i));
    return value;
  }
  /// Handles and small integers.
  int32_t integer(size_t i) const {
    int32_t value;
    if (i >= count_ || napi_get_value_int32(env, values_[i], &value) != napi_ok) [[unlikely]]
      invalid("expected an integer", static_cast<int>(i));
    return value;
  }
  /// A number of bytes or elements.
  size_t size(size_t i) const { return static_cast<size_t>(nonNegative(i, 0x1p64)); }
  /// A 32-bit query, count or id.
  uint32_t uint32(size_t i) const { return static_cast<uint32_t>(nonNegative(i, 0x1p32)); }
  /// A bit field; may have vendor-specific bits.
  uint64_t flags(size_t i) const { return static_cast<uint64_t>(nonNegative(i, 0x1p64)); }
  uint64_t pointer(size_t i) const;
  bool boolean(size_t i) const;
  std::string string(size_t i) const;
  /// A typed array; null and empty for undefined.
  HostBytes bytes(size_t i) const;
  /// A typed array that a command reads or writes. Throws INVALID if the call does not block and JavaScript could
  /// shrink the memory meanwhile.
  HostBytes hostMemory(size_t i, bool blocking) const;
  std::vector<int32_t> integers(size_t i) const;
  std::vector<uint64_t> longs(size_t i) const;
  /// A property list of key and value pairs, terminated by 0; empty if there are no pairs.
  template <typename Property>
  std::vector<Property> properties(size_t i) const {
    std::vector<Property> list;
    for (const uint64_t value : longs(i)) list.push_back(static_cast<Property>(value));
    if (list.size() % 2 != 0) invalid("expected pairs of key and value", static_cast<int>(i));
    if (!list.empty()) list.push_back(0);
    return list;
  }
  std::vector<HostBytes> byteArrays(size_t i) const;
  std::vector<std::string> strings(size_t i) const;
  Napi::Value value(size_t i) const { return i < count_ ? Napi::Value(env, values_[i]) : env.Undefined(); }

  Slot& slot(size_t i, Kind kind) const { return environment->handles.get(integer(i), kind, static_cast<int>(i)); }
  /// The wait list of a command: an Int32Array of handles, or undefined. Throws WRONG_CONTEXT if an event belongs to
  /// another context, and FAILED_EVENT if one has failed: PoCL 3.1 would then never end the command nor later ones, and
  /// PoCL 7.1 would run it. A failure on another thread after this check is not detected.
  std::vector<cl_event> events(size_t i, void* context) const;
  /// Like events(), without the check for failed events: for events that are not a command's wait list.
  std::vector<cl_event> eventsInAnyState(size_t i, void* context) const;

  Napi::Value result(double value) const { return Napi::Number::New(env, value); }
  Napi::Value result(int32_t value) const { return Napi::Number::New(env, value); }
  Napi::Value result(bool value) const { return Napi::Boolean::New(env, value); }
  Napi::Value result(const std::string& value) const { return Napi::String::New(env, value); }
  Napi::Value result(const std::vector<int32_t>& values) const;
  Napi::Value result(const std::vector<std::string>& values) const;
  Napi::Value resultPointer(const void* pointer) const {
    return Napi::BigInt::New(env, static_cast<uint64_t>(reinterpret_cast<uintptr_t>(pointer)));
  }
  Napi::Value resultBytes(const void* data, size_t bytes) const;

 private:
  /// Returns a number in [0, limit). Checked, because converting a double that does not fit is undefined behavior.
  double nonNegative(size_t i, double limit) const {
    const double value = number(i);
    if (!(value >= 0 && value < limit)) [[unlikely]]
      invalid("expected a non-negative number in range", static_cast<int>(i));
    return value;
  }

  template <typename Visit>
  std::vector<cl_event> eventsWith(size_t i, void* context, Visit visit) const;

  size_t count_;
  napi_value values_[kMaxArguments];
};

/// Throws the JavaScript error for the C++ exception that is being handled.
void throwToJavaScript(const Call& call);

template <Napi::Value (*Body)(Call&)>
Napi::Value run(Call& call) {
  try {
    return Body(call);
  } catch (...) {
    throwToJavaScript(call);
    return {};
  }
}

template <Napi::Value (*Body)(Call&)>
Napi::Value invoke(const Napi::CallbackInfo& info) {
  Call call(info);
  return run<Body>(call);
}

/// For hot functions: avoids Napi::CallbackInfo and its wrapper, which take 4.5 ns; a bound launch takes 26 ns in all.
template <Napi::Value (*Body)(Call&), size_t Capacity>
napi_value invokeHot(napi_env env, napi_callback_info info) {
  Call call(env, info, Capacity);
  try {
    return run<Body>(call);
  } catch (const Napi::Error& error) {
    error.ThrowAsJavaScriptException();
    return nullptr;
  }
}

inline const cl_event* data(const std::vector<cl_event>& events) { return events.empty() ? nullptr : events.data(); }
inline cl_uint size(const std::vector<cl_event>& events) { return static_cast<cl_uint>(events.size()); }

}  // namespace cl
