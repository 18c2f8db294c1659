// The table of integer handles, by which JavaScript refers to OpenCL objects.
//
// A handle is a slot index (22 bits) and a generation (10 bits) in one 32-bit integer, which V8 keeps unboxed. Every
// call looks the slot up and checks generation, kind and liveness, so a released, foreign or wrong-kind handle throws
// instead of reaching the driver.
//
// Lifetime: release() drops the reference to the OpenCL object and leaves the slot dead; recycle() makes the slot
// reusable. TypeScript calls recycle() only when the JavaScript wrapper has been collected, so a slot never changes its
// meaning under an existing wrapper, even if the 10-bit generation wraps around.
//
// Each environment has its own table. JavaScript thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "driver/loader.h"

namespace cl {

using Handle = int32_t;

// src/binding/native.ts (handleKinds) has the same order.
enum class Kind : uint8_t {
  None,
  Platform,
  Device,
  Context,
  Queue,
  Event,
  Memory,
  Sampler,
  Program,
  Kernel,
  Svm,
  List,
  Map,
  Semaphore,
  CommandBuffer,
  Statistics,
  Trace,
  Relay
};
inline constexpr int kKindCount = 18;

class LoanState;
struct Slot;
/// State of a handle in addition to its OpenCL object: a kernel's arguments, a list's commands, a pinned array.
struct Record {
  virtual ~Record() = default;
  /// Called before the object's reference is released.
  virtual void onRelease(const Slot&) {}
  /// Returns queues that only the record uses. They must be finished before it is destroyed.
  virtual std::vector<cl_command_queue> ownQueues() const { return {}; }
};

/// One entry of the table.
struct Slot {
  void* object = nullptr;
  const Runtime* runtime = nullptr;
  /// The cl_context that the object belongs to. Objects of different contexts cannot be combined.
  void* context = nullptr;
  std::shared_ptr<Record> record;
  uint32_t generation = 0;
  uint32_t nextFree = 0;
  Kind kind = Kind::None;
  bool alive = false;
  /// A user event that this environment created and has not ended. It is failed when the handle is released, since
  /// nothing else could end it.
  bool userEvent = false;
  /// JavaScript knows the object's address (known_objects.h).
  bool exposed = false;
  /// Number of get() calls. queue_record.h uses it to tell whether a queue may have changed.
  uint64_t uses = 0;
  /// The loan state of pooled memory (loans.h), else null.
  std::shared_ptr<LoanState> loanState;
  /// The loan state of the memory that this object was created from; the object is released with its loan.
  const LoanState* dependsOn = nullptr;
  /// A 1-D image over a buffer, which PoCL before 4 cannot take as a kernel's only memory (kernel.cc).
  bool imageOverBuffer = false;

  template <typename T>
  T as() const {
    return static_cast<T>(object);
  }
};

class HandleTable {
 public:
  HandleTable();

  /// Adds an object and takes ownership of its reference. Throws TOO_MANY_OBJECTS, after releasing it, if the table is
  /// full.
  Handle add(Kind kind, void* object, const Runtime& runtime, void* context, std::shared_ptr<Record> record = {});

  /// Returns the live slot, or null.
  Slot* find(Handle handle, Kind kind) {
    const uint32_t bits = static_cast<uint32_t>(handle);
    const uint32_t index = bits & kIndexMask;
    if (index >= slots_.size()) [[unlikely]]
      return nullptr;
    Slot& slot = slots_[index];
    if (slot.generation != bits >> kIndexBits || slot.kind != kind || !slot.alive) [[unlikely]]
      return nullptr;
    return &slot;
  }
  /// Returns the live slot. Throws DISPOSED or WRONG_KIND with the argument's position.
  Slot& lookUp(Handle handle, Kind kind, int position = -1);
  /// Like lookUp(), for callers that may change the object's state: counts a use.
  Slot& get(Handle handle, Kind kind, int position = -1) {
    Slot& slot = lookUp(handle, kind, position);
    ++slot.uses;
    return slot;
  }
  /// Returns the slot that a handle names, dead or alive, or null.
  Slot* peek(Handle handle);

  /// Releases the object. Returns false if it was released before.
  bool release(Handle handle);
  /// Releases the object if necessary and makes the slot reusable.
  void recycle(Handle handle);
  /// Fails the user events that this environment created and has not ended.
  void failUserEvents();
  /// Releases everything, dependents before what they depend on.
  void releaseAll();

  /// A counter that grows when anything but an event is released. Records that cache pointers compare it to see whether
  /// they are still valid.
  uint64_t epoch() const { return epoch_; }
  /// Invalidates cached pointers because a live handle's object has changed.
  void invalidateCaches() { ++epoch_; }
  /// Returns the number of live objects of a kind.
  uint32_t count(Kind kind) const { return counts_[static_cast<size_t>(kind)]; }
  std::vector<Slot>& slots() { return slots_; }

 private:
  static constexpr uint32_t kIndexBits = 22;
  static constexpr uint32_t kIndexMask = (1u << kIndexBits) - 1;
  static constexpr uint32_t kGenerationMask = (1u << (32 - kIndexBits)) - 1;

  void drop(Slot& slot);

  std::vector<Slot> slots_;
  uint32_t firstFree_ = 0;
  uint64_t epoch_ = 1;
  uint32_t counts_[kKindCount] = {};
};

const char* kindName(Kind kind);

}  // namespace cl
