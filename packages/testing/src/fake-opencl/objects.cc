// The registry of handles, reference counts and live counts.
#include "objects.h"

#include <cstdint>
#include <cstdlib>
#include <unordered_map>

#include "command-buffer.h"
#include "extension.h"

namespace fake {
namespace {

constexpr std::array<const char*, 11> kind_names{"platform", "device", "context", "queue",     "mem",          "event",
                                                 "program",  "kernel", "sampler", "semaphore", "commandBuffer"};

struct Registry {
  std::unordered_map<const void*, Kind> handles;
  std::array<long, kind_names.size()> live{};
  long maps = 0;
  long svm = 0;
};

// Never destroyed, like the other global state.
Registry& registry() {
  static Registry* const instance = new Registry;
  return *instance;
}

void destroy(Object& object) {
  --registry().live[static_cast<std::size_t>(object.kind)];
  switch (object.kind) {
    case Kind::platform:
      return;
    case Kind::device:
      return on_destroy(static_cast<_cl_device_id&>(object));
    case Kind::context:
      return on_destroy(static_cast<_cl_context&>(object));
    case Kind::queue:
      return on_destroy(static_cast<_cl_command_queue&>(object));
    case Kind::mem:
      return on_destroy(static_cast<_cl_mem&>(object));
    case Kind::event:
      return on_destroy(static_cast<_cl_event&>(object));
    case Kind::program:
      return on_destroy(static_cast<_cl_program&>(object));
    case Kind::kernel:
      return on_destroy(static_cast<_cl_kernel&>(object));
    case Kind::semaphore:
      return destroy_semaphore(object);
    case Kind::command_buffer:
      return destroy_command_buffer(object);
    case Kind::sampler:
      return on_destroy(static_cast<_cl_sampler&>(object));
  }
}

}  // namespace

const void* const dispatch_table[1] = {nullptr};

void Storage::Free::operator()(void* memory) const { std::free(memory); }

void Storage::allocate(std::size_t size) {
  memory_.reset(std::calloc(size + alignment, 1));
  if (memory_ == nullptr) fail(CL_MEM_OBJECT_ALLOCATION_FAILURE);
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
  data_ = reinterpret_cast<std::byte*>((address + alignment - 1) / alignment * alignment);
}

void Storage::clear() {
  memory_.reset();
  data_ = nullptr;
}

void enroll(Object& object) { registry().handles.emplace(&object, object.kind); }

void adopt(Object& object) {
  enroll(object);
  ++registry().live[static_cast<std::size_t>(object.kind)];
}

bool known(const void* handle, Kind kind) {
  const auto& handles = registry().handles;
  const auto found = handles.find(handle);
  return found != handles.end() && found->second == kind;
}

void hold(Object& object) { ++object.holds; }

void unhold(Object& object) {
  --object.holds;
  if (!object.alive()) destroy(object);
}

void release(Object& object, cl_int status) {
  require(object.refs > 0, status, "released more often than retained");
  --object.refs;
  if (!object.alive()) destroy(object);
}

std::map<std::string, long, std::less<>> live_counts() {
  const Registry& r = registry();
  std::map<std::string, long, std::less<>> counts;
  for (std::size_t kind = 1; kind < kind_names.size(); ++kind) counts[kind_names[kind]] = r.live[kind];
  counts["map"] = r.maps;
  counts["svm"] = r.svm;
  return counts;
}

long& outstanding_maps() { return registry().maps; }

long& outstanding_svm() { return registry().svm; }

}  // namespace fake
