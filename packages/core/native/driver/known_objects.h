// What adopt() must know of the whole process, since worker threads pass addresses to each other.
//
//  - Which OpenCL objects JavaScript knows the addresses of: those that pointerOf() gave and those that were adopted. A
//    second owner of the same reference would free it twice.
//  - Where the memory is whose address JavaScript knows and whose contents it writes: shared virtual memory, and host
//    memory that a buffer or an image lives in. Whatever it holds is no object of a driver.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cl {

/// Counts one more handle that owns a reference to an object whose address JavaScript knows.
void shareObject(const void* object);
/// The same, if no handle owns a reference to it; false otherwise.
bool claimObject(const void* object);
/// Undoes one shareObject() or claimObject().
void dropObject(const void* object);

/// Memory that JavaScript writes. Empty memory is allowed.
class ScriptMemory {
 public:
  ScriptMemory(const void* start, size_t bytes);
  ~ScriptMemory();
  ScriptMemory(const ScriptMemory&) = delete;
  ScriptMemory& operator=(const ScriptMemory&) = delete;

  /// True if an address lies in any such memory.
  static bool contains(uint64_t address);

 private:
  const uint64_t start_;
  const size_t bytes_;
};

}  // namespace cl
