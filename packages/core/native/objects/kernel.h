// Kernels and their arguments.
//
// A kernel's record stores the offset of each argument in the scratch block (a layout that TypeScript computes once,
// when the kernel is created) and the bytes last passed to the driver. Setting an argument looks up its handle, if it
// has one, compares the bytes, and calls the driver only if they differ. Memory objects are compared by handle and by
// pointer, because both may be reused for another object.
//
// JavaScript thread only.
#pragma once

#include "napi/call.h"

namespace cl {

class Statistics;
struct SvmMemory;

// src/binding/native.ts (argumentKinds) has the same order.
enum class ArgumentKind : uint8_t { Memory, Local, Value, Sampler, Queue };

/// A memory argument in the scratch block. The offset is used for SVM only.
struct MemoryArgument {
  Handle handle;
  int32_t padding;
  double byteOffset;
};

struct Argument {
  ArgumentKind kind = ArgumentKind::Value;
  bool set = false;
  /// The driver is known not to interpret its bytes as a pointer.
  bool isKnownValue = false;
  /// The last value was shared virtual memory.
  bool isSvm = false;
  /// The last value was a 1-D image over a buffer.
  bool imageOverBuffer = false;
  /// The loan number of the last value, if that is pooled memory (loans.h).
  uint64_t loan = 0;
  /// Bytes of a value.
  uint32_t size = 0;
  /// Offset in the scratch block and in the record's copy; a multiple of 8.
  uint32_t offset = 0;
  /// Number of 8-byte words to compare: handle and offset of a memory argument, else the value.
  uint32_t words = 0;
  /// The last value's object. Compared too, because generations of handles wrap around.
  void* object = nullptr;
};

struct Sizes {
  cl_uint dimensions = 0;
  bool hasLocal = false;
  bool hasOffset = false;
  size_t global[3] = {};
  size_t local[3] = {};
  size_t offset[3] = {};

  /// Reads the sizes from the scratch block (src/binding/scratch.ts defines the layout).
  void read(const Environment& environment);
};

struct KernelRecord final : Record {
  std::vector<Argument> arguments;
  /// Bytes of the last values, at the arguments' offsets.
  std::vector<uint64_t> last;
  /// Sizes of a bound kernel.
  Sizes sizes;
  bool bound = false;
  /// Other code has the raw kernel and may set its arguments, so the last values may be stale.
  bool shared = false;
  /// The queue for which checkLocalMemory() succeeded last, and the table's epoch then.
  void* fitsOn = nullptr;
  uint64_t fitsSince = 0;
  bool usesLocal = false;
  /// Some argument was a 1-D image over a buffer at some time.
  bool hadImageOverBuffer = false;
  /// Shared virtual memory or pooled memory is or was among the arguments or the reachable memory, so launches must
  /// call noteAllUse().
  bool tracksUse = false;
  /// The kernel may access any memory of the process.
  bool reachesAll = false;
  /// setKernelExecInfo() was called. Its value cannot be set again on another kernel.
  bool hasForeignInfo = false;
  /// Allocations that the kernel accesses through pointers; the record shares their ownership.
  std::vector<std::shared_ptr<SvmMemory>> reachableMemory;
  /// The table's epoch when all arguments were last checked.
  uint64_t checkedEpoch = 0;
  /// Statistics of launches on profiling queues, or null.
  std::shared_ptr<Statistics> statistics;

  uint8_t* lastBytes() { return reinterpret_cast<uint8_t*>(last.data()); }
};

inline KernelRecord& recordOf(const Slot& kernel) { return *static_cast<KernelRecord*>(kernel.record.get()); }

/// Passes argument `i` from the scratch block to the driver if it has changed. Throws with the argument's position.
void setArgument(Environment& environment, Slot& kernel, KernelRecord& record, size_t i);
/// Sets all arguments from the scratch block.
void setArguments(Environment& environment, Slot& kernel, KernelRecord& record);
/// Returns false if argument `i` is an object that was released since it was set.
bool isAlive(Environment& environment, KernelRecord& record, size_t i);
/// Passes the memory that the kernel accesses through pointers to the driver.
void setSvmPointers(const Slot& kernel, cl_kernel object, const KernelRecord& record);
/// Returns a live memory object or SVM allocation. Throws for anything else.
const Slot& memoryOf(HandleTable& handles, Handle handle, int position);
/// Returns false if the memory's loan has ended since the argument was set.
bool isLoanCurrent(const Slot& memory, const Argument& argument);
/// Throws if an argument was never set or its object was released since.
void confirmArguments(Environment& environment, KernelRecord& record);
/// Throws CL_OUT_OF_RESOURCES if the kernel needs more local memory than the queue's device has, and NOT_SUPPORTED for
/// memory arguments that PoCL before 4 cannot take. Drivers should report both; PoCL crashes. Queries the driver only
/// when the local memory arguments, the queue or the handle table have changed; see confirmLocalMemory().
void checkLocalMemory(const Environment& environment, const Slot& queue, cl_kernel kernel, KernelRecord& record);

inline void confirmLocalMemory(const Environment& environment, const Slot& queue, cl_kernel kernel,
                               KernelRecord& record) {
  const bool fits =
      record.fitsOn == queue.object && (!record.usesLocal || record.fitsSince == environment.handles.epoch());
  if (!fits) [[unlikely]]
    checkLocalMemory(environment, queue, kernel, record);
}

/// Records the queue's use with all shared virtual memory and pooled memory that the kernel may access.
void noteAllUse(Environment& environment, const Slot& queue, const KernelRecord& record);

inline void noteUse(Environment& environment, const Slot& queue, const KernelRecord& record) {
  if (record.tracksUse) [[unlikely]]
    noteAllUse(environment, queue, record);
}

}  // namespace cl
