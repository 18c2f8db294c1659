#include "napi/call.h"

#include <cstring>

#include "napi/backing_store.h"

namespace cl {

Call::Call(napi_env env_, napi_callback_info info, size_t capacity) : env(env_), count_(capacity) {
  void* data = nullptr;
  napi_get_cb_info(env, info, &count_, values_, nullptr, &data);
  environment = static_cast<Environment*>(data);
  if (count_ > capacity) count_ = capacity;
}

bool Call::has(size_t i) const {
  if (i >= count_) return false;
  napi_valuetype type;
  napi_typeof(env, values_[i], &type);
  return type != napi_undefined && type != napi_null;
}

uint64_t Call::pointer(size_t i) const {
  uint64_t value = 0;
  bool lossless = false;
  if (i >= count_ || napi_get_value_bigint_uint64(env, values_[i], &value, &lossless) != napi_ok || !lossless)
    invalid("a bigint of 64 bits was expected", static_cast<int>(i));
  return value;
}

bool Call::boolean(size_t i) const {
  bool value = false;
  if (i < count_) napi_get_value_bool(env, values_[i], &value);
  return value;
}

namespace {

std::string toString(napi_env env, napi_value value, int position) {
  size_t length = 0;
  if (napi_get_value_string_utf8(env, value, nullptr, 0, &length) != napi_ok)
    invalid("a string was expected", position);
  std::string text(length, '\0');
  napi_get_value_string_utf8(env, value, text.data(), length + 1, &length);
  return text;
}

HostBytes toBytes(napi_env env, napi_value value, int position) {
  napi_typedarray_type type;
  size_t length = 0;
  void* data = nullptr;
  size_t offset = 0;
  HostBytes bytes;
  if (napi_get_typedarray_info(env, value, &type, &length, &data, &bytes.arrayBuffer, &offset) != napi_ok)
    invalid("a typed array was expected", position);
  static constexpr size_t itemSizes[] = {1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8, 2};
  const auto index = static_cast<size_t>(type);
  if (index >= std::size(itemSizes)) invalid("this kind of typed array is not known", position);
  bytes.data = static_cast<uint8_t*>(data);
  bytes.bytes = length * itemSizes[index];
  return bytes;
}

/// Walks a JavaScript array.
template <typename Visit>
void forEach(napi_env env, napi_value array, int position, Visit visit) {
  uint32_t length = 0;
  if (napi_get_array_length(env, array, &length) != napi_ok) invalid("an array was expected", position);
  for (uint32_t i = 0; i < length; ++i) {
    napi_value element = nullptr;
    // A getter may throw; its error is then on its way already and hides ours.
    if (napi_get_element(env, array, i, &element) != napi_ok) invalid("an element could not be read", position);
    visit(element);
  }
}

}  // namespace

std::string Call::string(size_t i) const {
  if (i >= count_) invalid("a string was expected", static_cast<int>(i));
  return toString(env, values_[i], static_cast<int>(i));
}

HostBytes Call::bytes(size_t i) const {
  if (!has(i)) return {};
  return toBytes(env, values_[i], static_cast<int>(i));
}

HostBytes Call::hostMemory(size_t i, bool blocking) const {
  const HostBytes host = bytes(i);
  if (!blocking && canShrink(env, host.arrayBuffer))
    invalid("the memory of a resizable ArrayBuffer could shrink while a device uses it", static_cast<int>(i));
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
  std::vector<HostBytes> list;
  forEach(env, values_[i], static_cast<int>(i),
          [&](napi_value element) { list.push_back(toBytes(env, element, static_cast<int>(i))); });
  return list;
}

std::vector<std::string> Call::strings(size_t i) const {
  std::vector<std::string> list;
  forEach(env, values_[i], static_cast<int>(i),
          [&](napi_value element) { list.push_back(toString(env, element, static_cast<int>(i))); });
  return list;
}

/// Calls `visit` with the slot and the position of each.
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

std::vector<cl_event> Call::endedOrNot(size_t i, void* context) const {
  return eventsWith(i, context, [](const Slot&, size_t) {});
}

std::vector<cl_event> Call::events(size_t i, void* context) const {
  return eventsWith(i, context, [](const Slot& slot, size_t k) {
    const auto& entry = slot.runtime->clGetEventInfo;
    cl_int status = CL_COMPLETE;
    entry.quietly(slot.as<cl_event>(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    if (status < 0) throw Failure{"FAILED_EVENT", entry.name, status, std::to_string(k), -1};
  });
}

napi_value Call::undefined() const {
  napi_value value = nullptr;
  napi_get_undefined(env, &value);
  return value;
}

napi_value Call::result(double number) const {
  napi_value value = nullptr;
  napi_create_double(env, number, &value);
  return value;
}

napi_value Call::result(int32_t number) const {
  napi_value value = nullptr;
  napi_create_int32(env, number, &value);
  return value;
}

napi_value Call::result(bool truth) const {
  napi_value value = nullptr;
  napi_get_boolean(env, truth, &value);
  return value;
}

napi_value Call::result(const std::string& text) const {
  napi_value value = nullptr;
  napi_create_string_utf8(env, text.data(), text.size(), &value);
  return value;
}

napi_value Call::result(const std::vector<int32_t>& numbers) const {
  napi_value array = nullptr;
  napi_create_array_with_length(env, numbers.size(), &array);
  for (size_t i = 0; i < numbers.size(); ++i)
    napi_set_element(env, array, static_cast<uint32_t>(i), result(numbers[i]));
  return array;
}

napi_value Call::resultPointer(const void* pointer) const {
  napi_value value = nullptr;
  napi_create_bigint_uint64(env, reinterpret_cast<uintptr_t>(pointer), &value);
  return value;
}

napi_value Call::resultBytes(const void* source, size_t bytes) const {
  void* target = nullptr;
  napi_value buffer = nullptr;
  napi_value view = nullptr;
  if (napi_create_arraybuffer(env, bytes, &target, &buffer) != napi_ok) invalid("an ArrayBuffer could not be made");
  if (bytes > 0) std::memcpy(target, source, bytes);
  napi_create_typedarray(env, napi_uint8_array, bytes, buffer, 0, &view);
  return view;
}

void throwToJavaScript(napi_env env, Environment* environment, const Failure& failure) {
  bool pending = false;
  napi_is_exception_pending(env, &pending);
  if (pending) return;
  napi_value arguments[5] = {};
  napi_create_string_utf8(env, failure.code, NAPI_AUTO_LENGTH, &arguments[0]);
  napi_create_string_utf8(env, failure.routine.data(), failure.routine.size(), &arguments[1]);
  napi_create_int32(env, failure.status, &arguments[2]);
  napi_create_string_utf8(env, failure.detail.data(), failure.detail.size(), &arguments[3]);
  napi_create_int32(env, failure.position, &arguments[4]);
  napi_value create = nullptr;
  napi_value error = nullptr;
  napi_value undefined = nullptr;
  napi_get_undefined(env, &undefined);
  if (environment != nullptr && environment->createError != nullptr) {
    napi_get_reference_value(env, environment->createError, &create);
    napi_call_function(env, undefined, create, 5, arguments, &error);
  }
  if (error == nullptr) {
    napi_throw_error(env, failure.code, failure.detail.c_str());
    return;
  }
  napi_throw(env, error);
}

}  // namespace cl
