// Environment variables for a driver that reads its settings from the environment while it initializes.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cl {

/// Sets those variables that are unset or empty, and unsets them when it is destroyed. So they affect neither other
/// drivers nor child processes. Like any change of the environment, it races with code in other threads that calls
/// getenv().
class ScopedVariables {
 public:
  explicit ScopedVariables(const std::vector<std::pair<std::string, std::string>>& variables);
  ~ScopedVariables();
  ScopedVariables(const ScopedVariables&) = delete;
  ScopedVariables& operator=(const ScopedVariables&) = delete;

 private:
  std::vector<std::string> set_;
};

}  // namespace cl
