#include "driver/known_objects.h"

#include <map>
#include <mutex>
#include <unordered_map>

namespace cl {
namespace {

/// Leaked on purpose: other threads may still release objects while the process exits.
struct Known {
  std::mutex mutex;
  std::unordered_map<const void*, size_t> owners;
  /// Size of each memory range by its start. Several ranges may start at the same address.
  std::multimap<uint64_t, size_t> memory;
  /// Upper bound of the ranges' sizes.
  size_t longest = 0;
};

Known& known() {
  static auto* instance = new Known();
  return *instance;
}

}  // namespace

void shareObject(const void* object) {
  const std::lock_guard lock(known().mutex);
  ++known().owners[object];
}

bool claimObject(const void* object) {
  const std::lock_guard lock(known().mutex);
  return known().owners.try_emplace(object, 1).second;
}

void dropObject(const void* object) {
  const std::lock_guard lock(known().mutex);
  const auto found = known().owners.find(object);
  if (found != known().owners.end() && --found->second == 0) known().owners.erase(found);
}

ScriptMemory::ScriptMemory(const void* start, size_t bytes)
    : start_(reinterpret_cast<uintptr_t>(start)), bytes_(bytes) {
  if (bytes_ == 0) return;
  const std::lock_guard lock(known().mutex);
  known().memory.emplace(start_, bytes_);
  if (bytes_ > known().longest) known().longest = bytes_;
}

ScriptMemory::~ScriptMemory() {
  if (bytes_ == 0) return;
  const std::lock_guard lock(known().mutex);
  auto& memory = known().memory;
  for (auto [entry, end] = memory.equal_range(start_); entry != end; ++entry) {
    if (entry->second != bytes_) continue;
    memory.erase(entry);
    break;
  }
  if (memory.empty()) known().longest = 0;
}

bool ScriptMemory::contains(uint64_t address) {
  const std::lock_guard lock(known().mutex);
  const auto& memory = known().memory;
  const size_t longest = known().longest;
  for (auto entry = memory.upper_bound(address); entry != memory.begin();) {
    --entry;
    if (address - entry->first < entry->second) return true;
    if (address - entry->first >= longest) return false;
  }
  return false;
}

}  // namespace cl
