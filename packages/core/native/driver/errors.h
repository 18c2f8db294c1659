// Errors of the native layer: one exception type, which the boundary (call.h) converts to a JavaScript error.
// TypeScript owns the messages: it registers a function that receives these fields and creates the Error.
#pragma once

#include <CL/cl.h>

#include <string>
#include <utility>

namespace cl {

struct Failure {
  /// The kind of failure; see NativeFailure in src/binding/native.ts.
  const char* code;
  /// The routine that failed, or the entry point that is missing.
  std::string routine;
  cl_int status = CL_SUCCESS;
  /// Depends on the code: the version of a missing entry point, the loader's attempts, the expected kind.
  std::string detail;
  /// Index of the argument, or -1.
  int position = -1;
};

/// Throws unless a driver call succeeded.
inline void check(cl_int status, const char* routine) {
  if (status != CL_SUCCESS) [[unlikely]]
    throw Failure{"DRIVER", routine, status, {}, -1};
}

/// Throws INVALID.
[[noreturn]] inline void invalid(std::string detail, int position = -1) {
  throw Failure{"INVALID", {}, CL_SUCCESS, std::move(detail), position};
}

}  // namespace cl
