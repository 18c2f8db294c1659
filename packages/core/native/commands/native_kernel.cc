// Native kernels: C functions that the device's threads call.
//
// A call through a pointer that JavaScript passes cannot be made safe. An address outside executable memory, however,
// is refused before a driver thread jumps to it.
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "driver/driver.h"
#include "exports.h"
#include "objects/event.h"
#include "objects/loans.h"
#include "objects/queue.h"

#if !defined(__linux__) && !defined(_WIN32)
#include <dlfcn.h>
#endif

namespace cl {
namespace {

/// Returns whether the address is in executable memory, as far as the system can tell.
bool holdsCode(uint64_t address) {
#ifdef __linux__
  FILE* maps = std::fopen("/proc/self/maps", "r");
  // Without access to /proc, any address is accepted.
  if (maps == nullptr) return true;
  bool found = false;
  char line[512];
  while (!found && std::fgets(line, sizeof line, maps) != nullptr) {
    unsigned long long begin = 0;
    unsigned long long end = 0;
    char access[5] = {};
    if (std::sscanf(line, "%llx-%llx %4s", &begin, &end, access) == 3)
      found = address >= begin && address < end && access[2] == 'x';
  }
  std::fclose(maps);
  return found;
#elif defined(_WIN32)
  return address > 0xffff;
#else
  Dl_info info;
  return dladdr(reinterpret_cast<void*>(static_cast<uintptr_t>(address)), &info) != 0;
#endif
}

/// Memory that is mapped while a native kernel runs, because PoCL passes native kernels wrong addresses for sub-buffers
/// and for a buffer that is passed twice, and PoCL 7.1 also for buffers that have sub-buffers: the function would write
/// to memory of others. The destructor enqueues the unmaps.
class MappedMemory {
 public:
  MappedMemory(const Slot& queue, const std::vector<cl_event>& waits)
      : runtime_(*queue.runtime), queue_(queue.as<cl_command_queue>()), waits_(waits), mapped_(runtime_) {}
  ~MappedMemory() {
    for (size_t i = 0; i < maps_.size(); ++i) {
      const cl_event after = end_ != nullptr ? end_ : mapped_.list[i];
      runtime_.clEnqueueUnmapMemObject.quietly(queue_, maps_[i].memory, maps_[i].pointer, 1, &after, nullptr);
    }
  }
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;

  /// Returns the memory's address, which is valid after events().
  void* map(cl_mem memory) {
    for (const Map& map : maps_)
      if (map.memory == memory) return map.pointer;
    cl_mem_flags flags = 0;
    size_t bytes = 0;
    check(runtime_.clGetMemObjectInfo(memory, CL_MEM_FLAGS, sizeof flags, &flags, nullptr), "clGetMemObjectInfo");
    check(runtime_.clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr), "clGetMemObjectInfo");
    if ((flags & CL_MEM_HOST_NO_ACCESS) != 0)
      throw Failure{"NOT_SUPPORTED", "clEnqueueNativeKernel", CL_SUCCESS,
                    "buffers that the host can access on PoCL; create the buffer with another hostAccess", 3};
    cl_event event = nullptr;
    cl_int status = CL_SUCCESS;
    void* pointer = runtime_.clEnqueueMapBuffer(queue_, memory, CL_FALSE,
                                                (flags & CL_MEM_HOST_READ_ONLY) != 0 ? CL_MAP_READ : CL_MAP_WRITE, 0,
                                                bytes, size(waits_), data(waits_), &event, &status);
    check(status, "clEnqueueMapBuffer");
    mapped_.list.push_back(event);
    maps_.push_back({memory, pointer});
    return pointer;
  }

  /// What the native kernel waits for.
  const std::vector<cl_event>& events() const { return maps_.empty() ? waits_ : mapped_.list; }
  /// Keeps the memory mapped until the event, which must outlive this object.
  void keepUntil(cl_event end) { end_ = end; }

 private:
  struct Map {
    cl_mem memory;
    void* pointer;
  };

  const Runtime& runtime_;
  const cl_command_queue queue_;
  const std::vector<cl_event>& waits_;
  std::vector<Map> maps_;
  /// The events of the maps.
  OwnedEvents mapped_;
  cl_event end_ = nullptr;
};

/// enqueueNativeKernel(queue, function, arguments | undefined, memories: Int32Array, offsets: Int32Array, waitFor?) ->
/// event
///
/// The argument bytes are copied. At each offset the function receives the address of the memory's contents.
Napi::Value enqueueNativeKernel(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const uint64_t address = call.pointer(1);
  const HostBytes argumentBytes = call.bytes(2);
  const std::vector<int32_t> handles = call.integers(3);
  const std::vector<int32_t> offsets = call.integers(4);
  const auto events = call.events(5, queue.context);
  if (offsets.size() != handles.size()) invalid("expected one offset for each memory object", 4);
  if (!holdsCode(address)) invalid("function must be the address of a C function; there is no code at this address", 1);
  std::vector<std::max_align_t> block((argumentBytes.bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
  auto* bytes = reinterpret_cast<uint8_t*>(block.data());
  if (argumentBytes.bytes != 0) std::memcpy(bytes, argumentBytes.data, argumentBytes.bytes);
  const bool pocl = !handles.empty() && isPocl(*queue.runtime, queue.as<cl_command_queue>());
  MappedMemory mapped(queue, events);
  std::vector<cl_mem> memories;
  std::vector<const void*> addressSlots;
  for (size_t i = 0; i < handles.size(); ++i) {
    const Slot& slot = call.environment->handles.get(handles[i], Kind::Memory, 3);
    if (slot.context != queue.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "memory", 3};
    noteMemoryUse(slot, queue);
    const auto offset = static_cast<size_t>(offsets[i]);
    if (offsets[i] < 0 || argumentBytes.bytes < sizeof(void*) || offset > argumentBytes.bytes - sizeof(void*))
      invalid("a memory's address must be stored inside the arguments", 4);
    if (pocl) {
      const void* pointer = mapped.map(slot.as<cl_mem>());
      std::memcpy(bytes + offset, &pointer, sizeof pointer);
      continue;
    }
    memories.push_back(slot.as<cl_mem>());
    std::memcpy(bytes + offset, &memories.back(), sizeof(cl_mem));
    addressSlots.push_back(bytes + offset);
  }
  OptionalEvent event(true);
  check(queue.runtime->clEnqueueNativeKernel(
            queue.as<cl_command_queue>(), reinterpret_cast<void(CL_CALLBACK*)(void*)>(static_cast<uintptr_t>(address)),
            argumentBytes.bytes == 0 ? nullptr : bytes, argumentBytes.bytes, static_cast<cl_uint>(memories.size()),
            memories.empty() ? nullptr : memories.data(), addressSlots.empty() ? nullptr : addressSlots.data(),
            size(mapped.events()), data(mapped.events()), event.address()),
        "clEnqueueNativeKernel");
  mapped.keepUntil(event.get());
  return event.result(call, queue);
}

}  // namespace

void addNativeKernelExports(Exports& exports) { exports.add({{"enqueueNativeKernel", function<enqueueNativeKernel>}}); }

}  // namespace cl
