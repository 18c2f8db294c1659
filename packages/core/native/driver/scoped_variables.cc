#include "driver/scoped_variables.h"

#include <cstdlib>

namespace cl {
namespace {

#ifdef _WIN32
void setVariable(const std::string& name, const std::string& value) { _putenv_s(name.c_str(), value.c_str()); }
void unsetVariable(const std::string& name) { _putenv_s(name.c_str(), ""); }
#else
void setVariable(const std::string& name, const std::string& value) { setenv(name.c_str(), value.c_str(), 1); }
void unsetVariable(const std::string& name) { unsetenv(name.c_str()); }
#endif

}  // namespace

ScopedVariables::ScopedVariables(const std::vector<std::pair<std::string, std::string>>& variables) {
  for (const auto& [name, value] : variables) {
    const char* given = std::getenv(name.c_str());
    if (given != nullptr && *given != '\0') continue;
    setVariable(name, value);
    set_.push_back(name);
  }
}

ScopedVariables::~ScopedVariables() {
  for (const std::string& name : set_) unsetVariable(name);
}

}  // namespace cl
