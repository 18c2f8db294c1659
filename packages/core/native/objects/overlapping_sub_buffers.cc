#include "objects/overlapping_parts.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cl {
namespace {

/// Has a reference of its own, so that it can be looked at and kept from any thread.
struct Part final : Record {
  Part(const Runtime& runtime_, cl_mem whole_, cl_mem memory_, cl_mem_flags flags_, const cl_buffer_region& region_)
      : runtime(runtime_), whole(whole_), memory(memory_), flags(flags_), region(region_) {}
  ~Part() override;
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  bool overlaps(const cl_buffer_region& other) const {
    return region.origin < other.origin + other.size && other.origin < region.origin + region.size;
  }
  bool is(cl_mem_flags flags_, const cl_buffer_region& other) const {
    return flags == flags_ && region.origin == other.origin && region.size == other.size;
  }

  const Runtime& runtime;
  const cl_mem whole;
  const cl_mem memory;
  const cl_mem_flags flags;
  const cl_buffer_region region;
};

/// Of the process, as the driver's own are: threads may have parts of one buffer. Never destroyed, as what it keeps.
struct Parts {
  std::mutex mutex;
  /// The living parts of each whole, which lives as long as they do.
  std::unordered_map<cl_mem, std::vector<std::weak_ptr<Part>>> of;
  std::unordered_set<std::shared_ptr<Part>> staying;
};

Parts& parts() {
  static auto* const forever = new Parts;
  return *forever;
}

Part::~Part() {
  {
    Parts& all = parts();
    const std::lock_guard lock(all.mutex);
    // Another thread's may have taken this one out.
    if (const auto found = all.of.find(whole); found != all.of.end()) {
      auto& siblings = found->second;
      siblings.erase(std::remove_if(siblings.begin(), siblings.end(), [](const auto& part) { return part.expired(); }),
                     siblings.end());
      if (siblings.empty()) all.of.erase(found);
    }
  }
  runtime.clReleaseMemObject.quietly(memory);
}

KeptPart retained(const std::shared_ptr<Part>& part) {
  check(part->runtime.clRetainMemObject(part->memory), "clRetainMemObject");
  return {part->memory, part};
}

}  // namespace

KeptPart createKeptPart(const Runtime& runtime, cl_mem whole, cl_mem_flags flags, const cl_buffer_region& region) {
  Parts& all = parts();
  // Dropped after the lock, which the end of a part takes.
  std::vector<std::shared_ptr<Part>> over;
  const std::lock_guard lock(all.mutex);
  auto& siblings = all.of[whole];
  for (const auto& sibling : siblings) {
    std::shared_ptr<Part> part = sibling.lock();
    if (part && part->overlaps(region)) over.push_back(std::move(part));
  }
  for (const auto& part : over) {
    if (part->is(flags, region)) return retained(part);
  }
  cl_int status = CL_SUCCESS;
  const cl_mem memory = runtime.clCreateSubBuffer(whole, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  if (status != CL_SUCCESS && siblings.empty()) all.of.erase(whole);
  check(status, "clCreateSubBuffer");
  const auto part = std::make_shared<Part>(runtime, whole, memory, flags, region);
  siblings.push_back(part);
  if (!over.empty()) {
    all.staying.insert(part);
    all.staying.insert(over.begin(), over.end());
  }
  return retained(part);
}

bool partsStay() {
  Parts& all = parts();
  const std::lock_guard lock(all.mutex);
  return !all.staying.empty();
}

}  // namespace cl
