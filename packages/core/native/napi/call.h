// The boundary: how a JavaScript call becomes a C++ one. A native function is `Napi::Value name(Call&)`; invoke<name>
// reads its arguments, runs it and throws the JavaScript error that TypeScript makes of a Failure. All conversions
// between the two worlds are here, and none is done twice.
//
// A worker may be terminated in the middle of any call. Node-API then refuses to make or call anything, node-addon-api
// throws a Napi::Error, and its wrapper drops that one where no JavaScript can run any more
// (NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS): without that setting it would end the process.
#pragma once

#include <napi.h>

#include <optional>
#include <string>
#include <vector>

#include "napi/environment.h"

namespace cl {

/// Host memory that an argument points to.
struct HostBytes {
  uint8_t* data = nullptr;
  size_t bytes = 0;
  Napi::Value arrayBuffer;
};

class Call {
 public:
  static constexpr size_t kMaxArguments = 10;

  explicit Call(const Napi::CallbackInfo& info);
  /// For hot functions, which ask for a small capacity: Node fills every argument that was asked for.
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

  // Node-API's own conversions check the type as well: two calls of node-addon-api take 4 ns more a number.

  double number(size_t i) const {
    double value;
    if (i >= count_ || napi_get_value_double(env, values_[i], &value) != napi_ok) [[unlikely]]
      invalid("a number was expected", static_cast<int>(i));
    return value;
  }
  /// Handles and small integers.
  int32_t integer(size_t i) const {
    int32_t value;
    if (i >= count_ || napi_get_value_int32(env, values_[i], &value) != napi_ok) [[unlikely]]
      invalid("an integer was expected", static_cast<int>(i));
    return value;
  }
  /// Bytes and counts.
  size_t size(size_t i) const { return static_cast<size_t>(natural(i, 0x1p64)); }
  /// Queries, counts and ids of 32 bits.
  uint32_t word(size_t i) const { return static_cast<uint32_t>(natural(i, 0x1p32)); }
  /// Bit fields, vendors' own included.
  uint64_t flags(size_t i) const { return static_cast<uint64_t>(natural(i, 0x1p64)); }
  uint64_t pointer(size_t i) const;
  bool boolean(size_t i) const;
  std::string string(size_t i) const;
  /// A typed array; empty and null data for undefined.
  HostBytes bytes(size_t i) const;
  /// A typed array that a command reads or writes. Throws INVALID unless the call blocks if JavaScript could shrink the
  /// memory meanwhile.
  HostBytes hostMemory(size_t i, bool blocking) const;
  std::vector<int32_t> integers(size_t i) const;
  std::vector<uint64_t> longs(size_t i) const;
  /// A property list of key and value pairs, with its closing 0; empty if nothing is in it.
  template <typename Property>
  std::vector<Property> properties(size_t i) const {
    std::vector<Property> list;
    for (const uint64_t value : longs(i)) list.push_back(static_cast<Property>(value));
    if (list.size() % 2 != 0) invalid("pairs of key and value were expected", static_cast<int>(i));
    if (!list.empty()) list.push_back(0);
    return list;
  }
  std::vector<HostBytes> byteArrays(size_t i) const;
  std::vector<std::string> strings(size_t i) const;
  Napi::Value value(size_t i) const { return i < count_ ? Napi::Value(env, values_[i]) : env.Undefined(); }

  Slot& slot(size_t i, Kind kind) const { return environment->handles.get(integer(i), kind, static_cast<int>(i)); }
  /// The wait list of a command: an Int32Array of handles, or undefined. Throws WRONG_CONTEXT for another context's
  /// events, and FAILED_EVENT for one that has failed: PoCL 3.1 would never end such a command, nor what is behind it.
  /// One that another thread fails after this look and before the driver's is not seen.
  std::vector<cl_event> events(size_t i, void* context) const;
  /// Events that are not for a command: they may have failed.
  std::vector<cl_event> endedOrNot(size_t i, void* context) const;

  Napi::Value result(double value) const { return Napi::Number::New(env, value); }
  Napi::Value result(int32_t value) const { return Napi::Number::New(env, value); }
  Napi::Value result(bool value) const { return Napi::Boolean::New(env, value); }
  Napi::Value result(const std::string& value) const { return Napi::String::New(env, value); }
  Napi::Value result(const std::vector<int32_t>& values) const;
  Napi::Value resultPointer(const void* pointer) const {
    return Napi::BigInt::New(env, static_cast<uint64_t>(reinterpret_cast<uintptr_t>(pointer)));
  }
  Napi::Value resultBytes(const void* data, size_t bytes) const;

 private:
  /// Converting a double that does not fit is undefined in C++.
  double natural(size_t i, double limit) const {
    const double value = number(i);
    if (!(value >= 0 && value < limit)) [[unlikely]]
      invalid("a number that is not negative and not too large was expected", static_cast<int>(i));
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

/// For hot functions: Napi::CallbackInfo and its wrapper take 4.5 ns, where a bound launch takes 26 in all.
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
