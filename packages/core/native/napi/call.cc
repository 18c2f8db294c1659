#include "napi/call.h"

#include <algorithm>
#include <cstring>

#include "driver/event_status.h"
#include "napi/backing_store.h"

namespace cl {

Call::Call(const Napi::CallbackInfo& info)
    : env(info.Env()),
      environment(static_cast<Environment*>(info.Data())),
      count_(std::min(info.Length(), kMaxArguments)) {
  for (size_t i = 0; i < count_; ++i) values_[i] = info[i];
}

bool Call::has(size_t i) const {
  const napi_valuetype type = value(i).Type();
  return type != napi_undefined && type != napi_null;
}

uint64_t Call::pointer(size_t i) const {
  bool lossless = false;
  const Napi::Value argument = value(i);
  const uint64_t address = argument.IsBigInt() ? argument.As<Napi::BigInt>().Uint64Value(&lossless) : 0;
  if (!lossless) invalid("expected a 64-bit bigint", static_cast<int>(i));
  return address;
}

bool Call::boolean(size_t i) const {
  const Napi::Value argument = value(i);
  return argument.IsBoolean() && argument.As<Napi::Boolean>();
}

namespace {

std::string toString(const Napi::Value& value, int position) {
  if (!value.IsString()) invalid("expected a string", position);
  return value.As<Napi::String>();
}

/// Uses Node-API directly: node-addon-api does not support Float16Array and needs three calls.
HostBytes toBytes(const Napi::Value& value, int position) {
  napi_typedarray_type type;
  size_t length = 0;
  void* data = nullptr;
  napi_value arrayBuffer = nullptr;
  HostBytes bytes;
  if (napi_get_typedarray_info(value.Env(), value, &type, &length, &data, &arrayBuffer, nullptr) != napi_ok)
    invalid("expected a typed array", position);
  static constexpr size_t itemSizes[] = {1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8, 2};
  const auto index = static_cast<size_t>(type);
  if (index >= std::size(itemSizes)) invalid("this kind of typed array is not supported", position);
  bytes.data = static_cast<uint8_t*>(data);
  bytes.bytes = length * itemSizes[index];
  bytes.arrayBuffer = {value.Env(), arrayBuffer};
  return bytes;
}

/// Visits the elements of a JavaScript array. If a getter throws, its error replaces this addon's.
template <typename Visit>
void forEach(const Napi::Value& value, int position, Visit visit) {
  if (!value.IsArray()) invalid("expected an array", position);
  const auto array = value.As<Napi::Array>();
  for (uint32_t i = 0; i < array.Length(); ++i) visit(array.Get(i));
}

}  // namespace

std::string Call::string(size_t i) const { return toString(value(i), static_cast<int>(i)); }

HostBytes Call::bytes(size_t i) const {
  if (!has(i)) return {};
  return toBytes(value(i), static_cast<int>(i));
}

HostBytes Call::hostMemory(size_t i, bool blocking) const {
  const HostBytes host = bytes(i);
  if (!blocking && canShrink(host.arrayBuffer))
    invalid("the memory of a resizable ArrayBuffer could shrink while a device uses it; pass a copy or block",
            static_cast<int>(i));
  return host;
}

std::vector<int32_t> Call::integers(size_t i) const {
  const HostBytes view = bytes(i);
  std::vector<int32_t> values(view.bytes / sizeof(int32_t));
  if (!values.empty()) std::memcpy(values.data(), view.data, values.size() * sizeof(int32_t));
  return values;
}

std::vector<uint64_t> Call::longs(size_t i) const {
  const HostBytes view = bytes(i);
  std::vector<uint64_t> values(view.bytes / sizeof(uint64_t));
  if (!values.empty()) std::memcpy(values.data(), view.data, values.size() * sizeof(uint64_t));
  return values;
}

std::vector<HostBytes> Call::byteArrays(size_t i) const {
  const auto position = static_cast<int>(i);
  std::vector<HostBytes> list;
  forEach(value(i), position, [&](const Napi::Value& element) { list.push_back(toBytes(element, position)); });
  return list;
}

std::vector<std::string> Call::strings(size_t i) const {
  const auto position = static_cast<int>(i);
  std::vector<std::string> list;
  forEach(value(i), position, [&](const Napi::Value& element) { list.push_back(toString(element, position)); });
  return list;
}

/// Calls `visit` with the slot and the index of each event.
template <typename Visit>
std::vector<cl_event> Call::eventsWith(size_t i, void* context, Visit visit) const {
  std::vector<cl_event> list;
  if (i >= count_ || !has(i)) return list;
  const HostBytes view = bytes(i);
  const auto* handles = reinterpret_cast<const Handle*>(view.data);
  list.reserve(view.bytes / sizeof(Handle));
  for (size_t k = 0; k < view.bytes / sizeof(Handle); ++k) {
    const Slot& slot = environment->handles.get(handles[k], Kind::Event, -1);
    if (slot.context != context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "waitFor", -1};
    visit(slot, k);
    list.push_back(slot.as<cl_event>());
  }
  return list;
}

std::vector<cl_event> Call::eventsInAnyState(size_t i, void* context) const {
  return eventsWith(i, context, [](const Slot&, size_t) {});
}

std::vector<cl_event> Call::events(size_t i, void* context) const {
  return eventsWith(i, context, [](const Slot& slot, size_t k) {
    const cl_int status = statusOf(*slot.runtime, slot.as<cl_event>(), CL_COMPLETE);
    if (status < 0) throw Failure{"FAILED_EVENT", slot.runtime->clGetEventInfo.name, status, std::to_string(k), -1};
  });
}

Napi::Value Call::result(const std::vector<int32_t>& numbers) const {
  const auto array = Napi::Array::New(env, numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) array.Set(static_cast<uint32_t>(i), numbers[i]);
  return array;
}

Napi::Value Call::result(const std::vector<std::string>& strings) const {
  const auto array = Napi::Array::New(env, strings.size());
  for (size_t i = 0; i < strings.size(); ++i) array.Set(static_cast<uint32_t>(i), strings[i]);
  return array;
}

Napi::Value Call::resultBytes(const void* source, size_t bytes) const {
  auto view = Napi::Uint8Array::New(env, bytes);
  if (bytes > 0) std::memcpy(view.Data(), source, bytes);
  return view;
}

namespace {

Napi::Error errorFor(const Call& call, const Failure& failure) {
  const Napi::FunctionReference& create = call.environment->createError;
  if (create.IsEmpty()) {
    Napi::Error error = Napi::Error::New(call.env, failure.detail);
    error.Set("code", failure.code);
    return error;
  }
  return {call.env,
          create.Call({Napi::String::New(call.env, failure.code), call.result(failure.routine),
                       call.result(failure.status), call.result(failure.detail), call.result(failure.position)})};
}

}  // namespace

void throwToJavaScript(const Call& call) {
  try {
    throw;
  } catch (const Failure& failure) {
    errorFor(call, failure).ThrowAsJavaScriptException();
  } catch (const Napi::Error& error) {
    error.ThrowAsJavaScriptException();
  } catch (const std::exception& error) {
    errorFor(call, {"INVALID", {}, CL_SUCCESS, error.what(), -1}).ThrowAsJavaScriptException();
  }
}

}  // namespace cl
