// Shared virtual memory: plain host allocations, found by their address range.
#include <cstdlib>
#include <map>

#include "memory.h"

namespace fake {
namespace {

std::map<const std::byte*, std::size_t>& allocations() {
  static auto* const instance = new std::map<const std::byte*, std::size_t>;
  return *instance;
}

void free_svm(void* pointer) {
  const auto found = allocations().find(static_cast<const std::byte*>(pointer));
  require(found != allocations().end(), CL_INVALID_VALUE, "a pointer that is not an SVM allocation");
  allocations().erase(found);
  --outstanding_svm();
  std::free(pointer);
}

void require_svm(const void* pointer, std::size_t size) {
  require(is_shared(pointer, size), CL_INVALID_VALUE, "a range outside all SVM allocations");
}

}  // namespace

cl_device_svm_capabilities svm_capabilities() {
  return static_cast<cl_device_svm_capabilities>(
      control("FAKE_CL_SVM", CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER));
}

bool is_shared(const void* pointer, std::size_t size) {
  return (svm_capabilities() & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0 || svm_base(pointer, size) != nullptr;
}

const void* svm_base(const void* pointer, std::size_t size) {
  const auto address = static_cast<const std::byte*>(pointer);
  auto after = allocations().upper_bound(address);
  if (after == allocations().begin()) return nullptr;
  --after;
  return address + size <= after->first + after->second ? after->first : nullptr;
}

}  // namespace fake

using namespace fake;

void* clSVMAlloc(cl_context context, cl_svm_mem_flags flags, std::size_t size, cl_uint alignment) {
  return create_routine("clSVMAlloc", nullptr, [&]() -> void* {
    check(context, CL_INVALID_CONTEXT);
    require(size > 0, CL_INVALID_VALUE, "an allocation of 0 bytes");
    require((alignment & (alignment - 1)) == 0, CL_INVALID_VALUE, "an alignment that is not a power of two");
    const bool atomics = (flags & CL_MEM_SVM_ATOMICS) != 0;
    const bool fine = (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) != 0;
    if (atomics && (svm_capabilities() & CL_DEVICE_SVM_ATOMICS) == 0) fail(CL_INVALID_VALUE);
    if (fine && (svm_capabilities() & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) == 0) fail(CL_INVALID_VALUE);
    if (svm_capabilities() == 0 || alignment > Storage::alignment) fail(CL_INVALID_VALUE);
    const auto rounded = (size + Storage::alignment - 1) / Storage::alignment * Storage::alignment;
    void* const pointer = std::aligned_alloc(Storage::alignment, rounded);
    if (pointer == nullptr) fail(CL_OUT_OF_RESOURCES);
    allocations().emplace(static_cast<const std::byte*>(pointer), size);
    ++outstanding_svm();
    return pointer;
  });
}

void clSVMFree(cl_context context, void* pointer) {
  release_routine("clSVMFree", [&] {
    check(context, CL_INVALID_CONTEXT);
    if (pointer != nullptr) free_svm(pointer);
  });
}

cl_int clEnqueueSVMFree(cl_command_queue queue, cl_uint pointer_count, void* pointers[],
                        void(CL_CALLBACK* notify)(cl_command_queue, cl_uint, void*[], void*), void* user_data,
                        cl_uint count, const cl_event* list, cl_event* event) {
  return routine("clEnqueueSVMFree", [&] {
    check(queue, CL_INVALID_COMMAND_QUEUE);
    require(pointer_count > 0 && pointers != nullptr, CL_INVALID_VALUE, "nothing to free");
    for (cl_uint at = 0; at < pointer_count; ++at) require_svm(pointers[at], 0);
    std::vector<void*> owned(pointers, pointers + pointer_count);
    store_list(pointers, pointer_count * sizeof *pointers);
    submit({queue, CL_COMMAND_SVM_FREE, count, list, event}, {}, [=]() mutable {
      if (notify == nullptr) {
        for (const auto pointer : owned) free_svm(pointer);
        return;
      }
      // A callback must free the memory itself. It runs on the driver thread, since no lock may be held.
      post([=]() mutable { notify(queue, pointer_count, owned.data(), user_data); });
    });
  });
}

cl_int clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void* to, const void* from, std::size_t size,
                          cl_uint count, const cl_event* list, cl_event* event) {
  return routine("clEnqueueSVMMemcpy", [&] {
    check(queue, CL_INVALID_COMMAND_QUEUE);
    require(to != nullptr && from != nullptr, CL_INVALID_VALUE, "a null pointer");
    const auto a = static_cast<const std::byte*>(from);
    const auto b = static_cast<const std::byte*>(to);
    if (size > 0 && a < b + size && b < a + size) fail(CL_MEM_COPY_OVERLAP);
    const Request request{queue, CL_COMMAND_SVM_MEMCPY, count, list, event, blocking != CL_FALSE};
    submit(request, {},
           [to, size, source = host_source(request, from, size)] { std::memmove(to, source.get(), size); });
  });
}

cl_int clEnqueueSVMMemFill(cl_command_queue queue, void* pointer, const void* pattern, std::size_t pattern_size,
                           std::size_t size, cl_uint count, const cl_event* list, cl_event* event) {
  return routine("clEnqueueSVMMemFill", [&] {
    check(queue, CL_INVALID_COMMAND_QUEUE);
    check_pattern(pattern, pattern_size, reinterpret_cast<std::size_t>(pointer), size);
    require_svm(pointer, size);
    const auto first = static_cast<const std::byte*>(pattern);
    std::vector<std::byte> bytes(first, first + pattern_size);
    submit({queue, CL_COMMAND_SVM_MEMFILL, count, list, event}, {},
           [=] { fill(static_cast<std::byte*>(pointer), size, bytes); });
  });
}

cl_int clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking, cl_map_flags, void* pointer, std::size_t size,
                       cl_uint count, const cl_event* list, cl_event* event) {
  return routine("clEnqueueSVMMap", [&] {
    check(queue, CL_INVALID_COMMAND_QUEUE);
    require(size > 0, CL_INVALID_VALUE, "an empty range");
    require_svm(pointer, size);
    submit({queue, CL_COMMAND_SVM_MAP, count, list, event, blocking != CL_FALSE}, {}, {});
  });
}

cl_int clEnqueueSVMUnmap(cl_command_queue queue, void* pointer, cl_uint count, const cl_event* list, cl_event* event) {
  return routine("clEnqueueSVMUnmap", [&] {
    check(queue, CL_INVALID_COMMAND_QUEUE);
    require_svm(pointer, 0);
    submit({queue, CL_COMMAND_SVM_UNMAP, count, list, event}, {}, {});
  });
}

cl_int clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint pointer_count, const void** pointers,
                              const std::size_t* sizes, cl_mem_migration_flags, cl_uint count, const cl_event* list,
                              cl_event* event) {
  return routine("clEnqueueSVMMigrateMem", [&] {
    check(queue, CL_INVALID_COMMAND_QUEUE);
    require(pointer_count > 0 && pointers != nullptr, CL_INVALID_VALUE, "nothing to migrate");
    for (cl_uint at = 0; at < pointer_count; ++at) require_svm(pointers[at], sizes == nullptr ? 0 : sizes[at]);
    store_list(pointers, pointer_count * sizeof *pointers);
    if (sizes != nullptr) store_list(sizes, pointer_count * sizeof *sizes);
    submit({queue, CL_COMMAND_SVM_MIGRATE_MEM, count, list, event}, {}, {});
  });
}
