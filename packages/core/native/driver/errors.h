// Every failure of the native layer is one exception type, thrown anywhere below a call and turned into a JavaScript
// error at its boundary (call.h). The words of the error belong to TypeScript: it registers one function that receives
// these fields and makes the Error.
#pragma once

#include <CL/cl.h>

#include <string>
#include <utility>

namespace cl {

struct Failure {
  /// What went wrong, for TypeScript's switch: see NativeFailure in src/binding/native.ts.
  const char* code;
  /// The routine that failed, or the entry point that is missing.
  std::string routine;
  cl_int status = CL_SUCCESS;
  /// Free text: the version that brought a missing entry point, what a loader tried, a kind that was expected.
  std::string detail;
  /// Which argument, counted from 0, or -1.
  int position = -1;
};

/// Throws when a driver call did not succeed.
inline void check(cl_int status, const char* routine) {
  if (status != CL_SUCCESS) [[unlikely]]
    throw Failure{"DRIVER", routine, status, {}, -1};
}

[[noreturn]] inline void invalid(std::string detail, int position = -1) {
  throw Failure{"INVALID", {}, CL_SUCCESS, std::move(detail), position};
}

}  // namespace cl
