// Every info query of every object: two calls, the size first, never a guessed buffer. The bytes go to TypeScript as
// they are; src/info/ knows what each means.
#pragma once

#include "napi/call.h"

namespace cl {

/// Asks for the size, then for the value. `query(bytes, data, needed)` is any clGet…Info with its leading arguments
/// bound.
template <typename Query>
std::vector<uint8_t> queryInfo(Query query, const char* routine) {
  size_t needed = 0;
  check(query(0, nullptr, &needed), routine);
  std::vector<uint8_t> bytes(needed);
  if (needed > 0) check(query(needed, bytes.data(), nullptr), routine);
  return bytes;
}

/// A query whose answer is one plain value.
template <typename T, typename Query>
T queryValue(Query query, const char* routine) {
  T value{};
  check(query(sizeof(T), &value, nullptr), routine);
  return value;
}

}  // namespace cl
