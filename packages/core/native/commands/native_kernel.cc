// Native kernels: C functions that the device's threads call.
//
// A call through a pointer that JavaScript passes cannot be made safe. An address outside executable memory, however,
// is refused before a driver thread jumps to it.
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "driver/driver.h"
#include "exports.h"
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

bool isSubBuffer(const Runtime& runtime, cl_mem memory) {
  cl_mem parent = nullptr;
  runtime.clGetMemObjectInfo.quietly(memory, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, nullptr);
  return parent != nullptr;
}

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
  std::vector<cl_mem> memories;
  std::vector<const void*> addressSlots;
  for (size_t i = 0; i < handles.size(); ++i) {
    const Slot& slot = call.environment->handles.get(handles[i], Kind::Memory, 3);
    if (slot.context != queue.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "memory", 3};
    noteMemoryUse(slot, queue);
    const auto offset = static_cast<size_t>(offsets[i]);
    if (offsets[i] < 0 || argumentBytes.bytes < sizeof(void*) || offset > argumentBytes.bytes - sizeof(void*))
      invalid("a memory's address must be stored inside the arguments", 4);
    // PoCL 3.1 passes a wrong address for a sub-buffer, so the function would write to memory of others.
    if (pocl && isSubBuffer(*queue.runtime, slot.as<cl_mem>()))
      throw Failure{"NOT_SUPPORTED", "clEnqueueNativeKernel", CL_SUCCESS,
                    "a whole buffer on PoCL, which passes native kernels a wrong address for a sub-buffer", 3};
    memories.push_back(slot.as<cl_mem>());
    std::memcpy(bytes + offset, &memories.back(), sizeof(cl_mem));
    addressSlots.push_back(bytes + offset);
  }
  OptionalEvent event(true);
  check(queue.runtime->clEnqueueNativeKernel(
            queue.as<cl_command_queue>(), reinterpret_cast<void(CL_CALLBACK*)(void*)>(static_cast<uintptr_t>(address)),
            argumentBytes.bytes == 0 ? nullptr : bytes, argumentBytes.bytes, static_cast<cl_uint>(memories.size()),
            memories.empty() ? nullptr : memories.data(), addressSlots.empty() ? nullptr : addressSlots.data(),
            size(events), data(events), event.address()),
        "clEnqueueNativeKernel");
  return event.result(call, queue);
}

}  // namespace

void addNativeKernelExports(Exports& exports) { exports.add({{"enqueueNativeKernel", function<enqueueNativeKernel>}}); }

}  // namespace cl
