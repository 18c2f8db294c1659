// Opening an MPI and its shim at run time. Nothing is linked to an MPI, so that the package works with any, and
// without.
#pragma once

#include <stdexcept>
#include <string>

#include "mpi_table.h"

namespace cl::mpi {

/// An error of this addon, as a sentence.
struct MpiError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An error that a routine of the MPI has returned.
struct RoutineError : MpiError {
  const char* routine;
  std::string text;

  RoutineError(const char* routine_, std::string text_)
      : MpiError(std::string(routine_) + ": " + text_), routine(routine_), text(std::move(text_)) {}
};

/// Opens an MPI so that shims find its functions, and returns the text of its version. Throws if it cannot be opened.
std::string openLibrary(const std::string& name);

/// Opens the shim for the MPI that was opened.
void openShim(const std::string& path);

/// The functions of the MPI. Throws if no shim was opened.
const mpi_table& mpi();

/// Returns what an error of the MPI means.
std::string textOf(int error);

/// Throws what `routine` has returned, unless that is 0.
void check(int error, const char* routine);

}  // namespace cl::mpi
