// The table of integer handles: the only names by which JavaScript knows an OpenCL object.
//
// A handle is a slot index (22 bits) and a generation (10 bits) in one 32-bit integer, which V8 keeps unboxed. Every
// call looks the slot up and checks generation, kind and liveness, so that a released, foreign or wrong-kind handle
// throws instead of reaching the driver.
//
// Lifetime: release() drops our reference to the OpenCL object and leaves the slot dead; recycle() gives the slot back.
// TypeScript calls recycle() only when the JavaScript wrapper has been collected, so a slot never changes its meaning
// under a wrapper that still exists, however often the 10-bit generation wraps.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "driver/loader.h"

namespace cl {

using Handle = int32_t;

// The order is known to src/binding/native.ts (handleKinds).
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
  Trace
};
inline constexpr int kKindCount = 17;

/// State that belongs to a handle besides its OpenCL object: a kernel's arguments, a list's records, a pinned array.
class Lending;
struct Slot;
struct Record {
  virtual ~Record() = default;
  /// Called before the object's reference is given back.
  virtual void ends(const Slot&) {}
};

struct Slot {
  void* object = nullptr;
  const Runtime* runtime = nullptr;
  /// The cl_context that the object belongs to: objects of different contexts are refused by comparing these.
  void* context = nullptr;
  std::shared_ptr<Record> record;
  uint32_t generation = 0;
  uint32_t nextFree = 0;
  Kind kind = Kind::None;
  bool alive = false;
  /// A user event that this environment made and has not ended. It fails when it is released: nobody else could end it.
  bool userEvent = false;
  /// JavaScript knows the object's address (known_objects.h).
  bool exposed = false;
  /// How often get() gave it; by that queue_record.h knows whether a queue can be as it was.
  uint64_t uses = 0;
  /// Who has it now, if it is lent (lending.h).
  std::shared_ptr<Lending> lending;
  /// The loan's memory that this is a part of, and ends with.
  const Lending* partOf = nullptr;
  /// A 1-D image over a buffer, which PoCL cannot take as a kernel's only memory (kernel.cc).
  bool imageOverBuffer = false;

  template <typename T>
  T as() const {
    return static_cast<T>(object);
  }
};

class HandleTable {
 public:
  HandleTable();

  Handle add(Kind kind, void* object, const Runtime& runtime, void* context, std::shared_ptr<Record> record = {});

  /// The live slot, or null.
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
  /// The live slot; throws DISPOSED, WRONG_KIND or INVALID and names the argument's position.
  Slot& look(Handle handle, Kind kind, int position = -1);
  /// The same for whoever may change what the object is or does.
  Slot& get(Handle handle, Kind kind, int position = -1) {
    Slot& slot = look(handle, kind, position);
    ++slot.uses;
    return slot;
  }
  /// The slot that a handle names, dead or alive, or null.
  Slot* peek(Handle handle);

  /// Drops our reference to the object. Returns false if it was dropped before.
  bool release(Handle handle);
  /// Releases if that has not happened, and gives the slot back.
  void recycle(Handle handle);
  /// Ends what this environment's commands might wait for in vain.
  void failUserEvents();
  /// Releases everything, in an order in which nothing outlives what it needs.
  void releaseAll();

  /// Grows whenever anything but an event is released; records that cache pointers compare it to know that they still
  /// hold.
  uint64_t epoch() const { return epoch_; }
  /// What a live handle means has changed.
  void changed() { ++epoch_; }
  /// Live objects of one kind.
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
