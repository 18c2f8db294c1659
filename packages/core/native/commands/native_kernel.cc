// Native kernels: C functions that the device's own threads call.
//
// Nothing can make a call through a pointer safe that JavaScript gives. What can be known is whether anything could be
// called there: an address outside of the memory that holds code is refused before a thread of the driver's jumps to
// it.
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "driver/driver.h"
#include "exports.h"
#include "objects/lending.h"
#include "objects/queue.h"

#if !defined(__linux__) && !defined(_WIN32)
#include <dlfcn.h>
#endif

namespace cl {
namespace {

bool holdsCode(uint64_t address) {
#ifdef __linux__
  FILE* maps = std::fopen("/proc/self/maps", "r");
  // Where a process may not look at itself, nothing is known.
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

bool isPart(const Runtime& runtime, cl_mem memory) {
  cl_mem whole = nullptr;
  runtime.clGetMemObjectInfo.quietly(memory, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole, &whole, nullptr);
  return whole != nullptr;
}

/// enqueueNativeKernel(queue, function, arguments | undefined, memories: Int32Array, offsets: Int32Array, waitFor?) ->
/// event
///
/// The arguments are copied; at each offset the function finds the address of the memory's contents.
Napi::Value enqueueNativeKernel(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const uint64_t address = call.pointer(1);
  const HostBytes given = call.bytes(2);
  const std::vector<int32_t> handles = call.integers(3);
  const std::vector<int32_t> offsets = call.integers(4);
  const auto events = call.events(5, queue.context);
  if (offsets.size() != handles.size()) invalid("each memory needs an offset", 4);
  if (!holdsCode(address)) invalid("function must be the address of a C function, but there is no code at it", 1);
  std::vector<std::max_align_t> block((given.bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
  auto* bytes = reinterpret_cast<uint8_t*>(block.data());
  if (given.bytes != 0) std::memcpy(bytes, given.data, given.bytes);
  const bool pocl = !handles.empty() && isPocl(*queue.runtime, queue.as<cl_command_queue>());
  std::vector<cl_mem> memories;
  std::vector<const void*> places;
  for (size_t i = 0; i < handles.size(); ++i) {
    const Slot& slot = call.environment->handles.get(handles[i], Kind::Memory, 3);
    if (slot.context != queue.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "memory", 3};
    useLent(slot, queue);
    const auto offset = static_cast<size_t>(offsets[i]);
    if (offsets[i] < 0 || given.bytes < sizeof(void*) || offset > given.bytes - sizeof(void*))
      invalid("a place for a memory's address lies outside of the arguments", 4);
    // PoCL 3.1 tells another address: the function would write somewhere.
    if (pocl && isPart(*queue.runtime, slot.as<cl_mem>()))
      throw Failure{"NOT_SUPPORTED", "clEnqueueNativeKernel", CL_SUCCESS,
                    "a whole buffer on PoCL, which tells native kernels a wrong address for a part of one", 3};
    memories.push_back(slot.as<cl_mem>());
    std::memcpy(bytes + offset, &memories.back(), sizeof(cl_mem));
    places.push_back(bytes + offset);
  }
  WantedEvent event(true);
  check(queue.runtime->clEnqueueNativeKernel(
            queue.as<cl_command_queue>(), reinterpret_cast<void(CL_CALLBACK*)(void*)>(static_cast<uintptr_t>(address)),
            given.bytes == 0 ? nullptr : bytes, given.bytes, static_cast<cl_uint>(memories.size()),
            memories.empty() ? nullptr : memories.data(), places.empty() ? nullptr : places.data(), size(events),
            data(events), event.address()),
        "clEnqueueNativeKernel");
  return event.give(call, queue);
}

}  // namespace

void addNativeKernelExports(Exports& exports) { exports.add({{"enqueueNativeKernel", function<enqueueNativeKernel>}}); }

}  // namespace cl
