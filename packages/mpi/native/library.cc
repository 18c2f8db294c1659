#include "library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

namespace cl::mpi {
namespace {

const mpi_table* table = nullptr;

}  // namespace

std::string openLibrary(const std::string& name) {
  // UCX, which MPICH uses, handles SIGSEGV otherwise, and V8 needs that signal for WebAssembly.
  setenv("UCX_ERROR_SIGNALS", "", 0);
  // It also watches when memory is mapped, and tries that out by growing and shrinking the heap. If another thread
  // allocates meanwhile, its memory is gone: one of 40 processes crashed in V8 right after the library was opened.
  setenv("UCX_MEM_EVENTS", "n", 0);
  // Global, because the shim and the plug-ins of Open MPI find their symbols that way.
  void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) throw MpiError(dlerror());
  using GetVersion = int (*)(char*, int*);
  const auto version = reinterpret_cast<GetVersion>(dlsym(library, "MPI_Get_library_version"));
  if (version == nullptr) throw MpiError(name + ": has no function MPI_Get_library_version");
  // More than any MPI_MAX_LIBRARY_VERSION_STRING.
  static char text[16384];
  int length = 0;
  version(text, &length);
  return {text, strnlen(text, sizeof text)};
}

void openShim(const std::string& path) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw MpiError(dlerror());
  const auto get = reinterpret_cast<mpi_table_function>(dlsym(library, CL_MPI_TABLE_SYMBOL));
  if (get == nullptr) throw MpiError(path + ": is no shim of @cl/mpi");
  const mpi_table* const found = get();
  if (found->version != CL_MPI_TABLE_VERSION) {
    throw MpiError(path + ": was made for another version of @cl/mpi; compile it again");
  }
  table = found;
}

const mpi_table& mpi() {
  if (table == nullptr) throw MpiError("no MPI was opened");
  return *table;
}

std::string textOf(int error) {
  char text[1024] = {};
  if (table == nullptr || table->error_text(error, text, sizeof text) != 0) return "error " + std::to_string(error);
  return text;
}

void check(int error, const char* routine) {
  if (error != 0) throw RoutineError(routine, textOf(error));
}

}  // namespace cl::mpi
