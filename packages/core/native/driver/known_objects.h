// Process-wide knowledge that adopt() needs, since worker threads may pass addresses to each other:
//
//  - The OpenCL objects whose addresses JavaScript knows, from pointerOf() or adopt(). A second owner of the same
//    reference would free it twice.
//  - The memory whose address JavaScript knows and which it can write: shared virtual memory, and host memory of
//    buffers and images. An address inside it is never an OpenCL object.
//
// All functions may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cl {

/// Adds an owner of an object whose address JavaScript knows.
void shareObject(const void* object);
/// Adds the first owner of an object. Returns false, without adding one, if it has an owner already.
bool claimObject(const void* object);
/// Removes an owner that shareObject() or claimObject() added.
void dropObject(const void* object);

/// A range of memory that JavaScript can write, registered while this object exists. It may be empty.
class ScriptMemory {
 public:
  ScriptMemory(const void* start, size_t bytes);
  ~ScriptMemory();
  ScriptMemory(const ScriptMemory&) = delete;
  ScriptMemory& operator=(const ScriptMemory&) = delete;

  /// Returns whether an address is inside any registered range.
  static bool contains(uint64_t address);

 private:
  const uint64_t start_;
  const size_t bytes_;
};

}  // namespace cl
