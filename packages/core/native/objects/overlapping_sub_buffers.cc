#include "objects/overlapping_sub_buffers.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cl {
namespace {

/// A registered sub-buffer. Holds its own reference, so that any thread can use it.
struct SubBuffer final : Record {
  SubBuffer(const Runtime& runtime_, cl_mem parent_, cl_mem memory_, cl_mem_flags flags_,
            const cl_buffer_region& region_)
      : runtime(runtime_), parent(parent_), memory(memory_), flags(flags_), region(region_) {}
  ~SubBuffer() override;
  SubBuffer(const SubBuffer&) = delete;
  SubBuffer& operator=(const SubBuffer&) = delete;

  bool overlaps(const cl_buffer_region& other) const {
    return region.origin < other.origin + other.size && other.origin < region.origin + region.size;
  }
  bool equals(cl_mem_flags flags_, const cl_buffer_region& other) const {
    return flags == flags_ && region.origin == other.origin && region.size == other.size;
  }

  const Runtime& runtime;
  const cl_mem parent;
  const cl_mem memory;
  const cl_mem_flags flags;
  const cl_buffer_region region;
};

/// The registry of sub-buffers. Process-wide, because threads may share a buffer. Leaked on purpose, with `leaked`.
struct SubBuffers {
  std::mutex mutex;
  /// Live sub-buffers by parent. A parent lives at least as long as they do.
  std::unordered_map<cl_mem, std::vector<std::weak_ptr<SubBuffer>>> byParent;
  /// Overlapping sub-buffers, which are never released.
  std::unordered_set<std::shared_ptr<SubBuffer>> leaked;
};

SubBuffers& subBuffers() {
  static auto* const instance = new SubBuffers;
  return *instance;
}

SubBuffer::~SubBuffer() {
  {
    SubBuffers& registry = subBuffers();
    const std::lock_guard lock(registry.mutex);
    // Another thread may have removed the entry.
    if (const auto found = registry.byParent.find(parent); found != registry.byParent.end()) {
      auto& siblings = found->second;
      siblings.erase(std::remove_if(siblings.begin(), siblings.end(), [](const auto& part) { return part.expired(); }),
                     siblings.end());
      if (siblings.empty()) registry.byParent.erase(found);
    }
  }
  runtime.clReleaseMemObject.quietly(memory);
}

SharedSubBuffer retained(const std::shared_ptr<SubBuffer>& part) {
  check(part->runtime.clRetainMemObject(part->memory), "clRetainMemObject");
  return {part->memory, part};
}

}  // namespace

SharedSubBuffer createSharedSubBuffer(const Runtime& runtime, cl_mem parent, cl_mem_flags flags,
                                      const cl_buffer_region& region) {
  SubBuffers& registry = subBuffers();
  // Declared before the lock, so that they are dropped after it: the destructor of a sub-buffer takes the lock.
  std::vector<std::shared_ptr<SubBuffer>> living;
  std::shared_ptr<SubBuffer> created;
  const std::lock_guard lock(registry.mutex);
  auto& siblings = registry.byParent[parent];
  for (const auto& sibling : siblings)
    if (std::shared_ptr<SubBuffer> part = sibling.lock()) living.push_back(std::move(part));
  std::vector<std::shared_ptr<SubBuffer>> overlapping;
  for (const auto& part : living)
    if (part->overlaps(region)) overlapping.push_back(part);
  for (const auto& part : overlapping) {
    if (part->equals(flags, region)) return retained(part);
  }
  cl_int status = CL_SUCCESS;
  const cl_mem memory = runtime.clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  if (status != CL_SUCCESS && siblings.empty()) registry.byParent.erase(parent);
  check(status, "clCreateSubBuffer");
  created = std::make_shared<SubBuffer>(runtime, parent, memory, flags, region);
  siblings.push_back(created);
  if (!overlapping.empty()) {
    registry.leaked.insert(created);
    registry.leaked.insert(overlapping.begin(), overlapping.end());
  }
  return retained(created);
}

bool hasLeakedSubBuffers() {
  SubBuffers& registry = subBuffers();
  const std::lock_guard lock(registry.mutex);
  return !registry.leaked.empty();
}

}  // namespace cl
