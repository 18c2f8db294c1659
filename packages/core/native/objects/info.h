// Info queries. Each takes two calls, the first for the size. The bytes go to TypeScript undecoded; src/info/ decodes
// them.
#pragma once

#include "napi/call.h"

namespace cl {

/// Queries the size, then the value. `query(bytes, data, needed)` is a clGet…Info function with its leading arguments
/// bound.
template <typename Query>
std::vector<uint8_t> queryInfo(Query query, const char* routine) {
  size_t needed = 0;
  check(query(0, nullptr, &needed), routine);
  std::vector<uint8_t> bytes(needed);
  if (needed > 0) check(query(needed, bytes.data(), nullptr), routine);
  return bytes;
}

/// Queries a value of a fixed size.
template <typename T, typename Query>
T queryValue(Query query, const char* routine) {
  T value{};
  check(query(sizeof(T), &value, nullptr), routine);
  return value;
}

}  // namespace cl
