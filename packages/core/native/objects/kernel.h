// Kernels and their arguments.
//
// A kernel's record knows where in the scratch block each of its arguments lies (a layout that TypeScript computes
// once, when the kernel is made) and remembers the bytes it gave the driver last. Setting an argument is: look its
// handle up if it has one, compare with the last bytes, and call the driver only if they differ. Memory objects compare
// by handle and by pointer, so that neither a recycled pointer nor a recycled handle is mistaken for the object that
// had it before.
#pragma once

#include "napi/call.h"

namespace cl {

class Statistics;
struct SvmMemory;

// The order is known to src/binding/native.ts (argumentKinds).
enum class ArgumentKind : uint8_t { Memory, Local, Value, Sampler, Queue };

/// A memory argument in the scratch block: which object, and for SVM how far into it.
struct MemoryArgument {
  Handle handle;
  int32_t padding;
  double byteOffset;
};

struct Argument {
  ArgumentKind kind = ArgumentKind::Value;
  bool set = false;
  /// It is known that bytes given for it are not taken for an address.
  bool safe = false;
  /// It was given shared virtual memory last.
  bool shared = false;
  /// It was given a 1-D image over a buffer last.
  bool imageOverBuffer = false;
  /// The loan that memory was given for, if it is lent (lending.h).
  uint64_t loan = 0;
  /// Bytes of a value.
  uint32_t size = 0;
  /// Where it starts in the scratch block and in the record's copy; 8-aligned.
  uint32_t offset = 0;
  /// 8-byte words to compare: the handle and offset of a memory argument, the value itself otherwise.
  uint32_t words = 0;
  /// The object that was given last. Generations of handles wrap around, so an equal handle may be that of another.
  void* object = nullptr;
};

struct Sizes {
  cl_uint dimensions = 0;
  bool hasLocal = false;
  bool hasOffset = false;
  size_t global[3] = {};
  size_t local[3] = {};
  size_t offset[3] = {};

  /// From the scratch block (src/binding/scratch.ts has the layout).
  void read(const Environment& environment);
};

struct KernelRecord final : Record {
  std::vector<Argument> arguments;
  std::vector<uint64_t> last;
  /// What a bound kernel launches over.
  Sizes sizes;
  bool bound = false;
  /// Others know the raw kernel and may set its arguments, so what was given last says nothing.
  bool shared = false;
  /// The queue on whose device the kernel's local memory was found to fit, and when; see confirmLocalMemory.
  void* fitsOn = nullptr;
  uint64_t fitsSince = 0;
  bool usesLocal = false;
  /// Some argument was a 1-D image over a buffer once.
  bool tookImageOverBuffer = false;
  /// Shared virtual memory or lent memory is, or was, among the arguments or what it was told of: then each launch
  /// notes its use.
  bool notesUse = false;
  /// It may reach any memory of the process.
  bool reachesAll = false;
  /// The driver was told what only the caller understands, and could not be told again.
  bool hasForeignInfo = false;
  /// Memory that it reaches through pointers, of which it has a share.
  std::vector<std::shared_ptr<SvmMemory>> reaches;
  /// The table's epoch at which all memory arguments were last seen alive.
  uint64_t seen = 0;
  /// What its launches on queues with profiling are counted in.
  std::shared_ptr<Statistics> statistics;

  uint8_t* lastBytes() { return reinterpret_cast<uint8_t*>(last.data()); }
};

inline KernelRecord& recordOf(const Slot& kernel) { return *static_cast<KernelRecord*>(kernel.record.get()); }

/// Gives the driver argument `i` from the scratch block. Throws with the argument's position.
void setArgument(Environment& environment, Slot& kernel, KernelRecord& record, size_t i);
/// All arguments from the scratch block.
void setArguments(Environment& environment, Slot& kernel, KernelRecord& record);
/// True unless argument `i` is an object that was released since it was set.
bool isAlive(Environment& environment, KernelRecord& record, size_t i);
/// Tells the driver which memory the kernel reaches through pointers, and whether through any.
void setReach(const Slot& kernel, cl_kernel object, const KernelRecord& record);
/// A live memory object or allocation; throws for anything else.
const Slot& memoryOf(HandleTable& handles, Handle handle, int position);
/// True unless the memory was lent to somebody else since it was set.
bool isLentFor(const Slot& memory, const Argument& argument);
/// Throws if an argument was never set, or if its memory has been released since.
void confirmArguments(Environment& environment, KernelRecord& record);
/// Throws CL_OUT_OF_RESOURCES if the kernel needs more local memory than the queue's device has, and NOT_SUPPORTED for
/// memory arguments that PoCL cannot take. Drivers should say so themselves; PoCL ends the process. Asks the driver
/// only when such arguments, the queue or the table have changed.
void checkLocalMemory(const Environment& environment, const Slot& queue, cl_kernel kernel, KernelRecord& record);

inline void confirmLocalMemory(const Environment& environment, const Slot& queue, cl_kernel kernel,
                               KernelRecord& record) {
  const bool fits =
      record.fitsOn == queue.object && (!record.usesLocal || record.fitsSince == environment.handles.epoch());
  if (!fits) [[unlikely]]
    checkLocalMemory(environment, queue, kernel, record);
}

/// Remembers with all shared virtual memory and lent memory that the kernel may reach that a launch on this queue uses
/// it.
void noteAllUse(Environment& environment, const Slot& queue, const KernelRecord& record);

inline void noteUse(Environment& environment, const Slot& queue, const KernelRecord& record) {
  if (record.notesUse) [[unlikely]]
    noteAllUse(environment, queue, record);
}

}  // namespace cl
