// Setting the arguments of kernels. See kernel.h.
#include <cstring>
#include <string>
#include <vector>

#include "driver/driver.h"
#include "objects/kernel.h"
#include "objects/loans.h"
#include "objects/svm.h"

namespace cl {
namespace {

[[noreturn]] void wrongContext(size_t i) {
  throw Failure{"WRONG_CONTEXT", "clSetKernelArg", CL_SUCCESS, "argument", static_cast<int>(i)};
}

/// Returns the object of a handle in the scratch block, which must have the kernel's context; null for handle 0.
const Slot* referenced(Environment& environment, const Slot& kernel, Handle handle, Kind kind, size_t i) {
  if (handle == 0) return nullptr;
  const auto position = static_cast<int>(i);
  const Slot& slot = kind == Kind::Memory ? memoryOf(environment.handles, handle, position)
                                          : environment.handles.get(handle, kind, position);
  if (slot.context != kernel.context) wrongContext(i);
  return &slot;
}

/// Compares 8-byte words. Bytes after a shorter value may differ, which only costs another driver call.
bool sameWords(const uint8_t* a, const uint8_t* b, uint32_t words) {
  const auto* x = reinterpret_cast<const uint64_t*>(a);
  const auto* y = reinterpret_cast<const uint64_t*>(b);
  for (uint32_t i = 0; i < words; ++i) {
    if (x[i] != y[i]) return false;
  }
  return true;
}

/// Returns the object that an argument's value refers to, which must have the kernel's context; null if it refers to
/// none.
const Slot* objectOf(Environment& environment, const Slot& kernel, const Argument& argument, const uint8_t* value,
                     size_t i) {
  switch (argument.kind) {
    case ArgumentKind::Memory:
      return referenced(environment, kernel, reinterpret_cast<const MemoryArgument*>(value)->handle, Kind::Memory, i);
    case ArgumentKind::Sampler:
      return referenced(environment, kernel, *reinterpret_cast<const Handle*>(value), Kind::Sampler, i);
    case ArgumentKind::Queue:
      return referenced(environment, kernel, *reinterpret_cast<const Handle*>(value), Kind::Queue, i);
    case ArgumentKind::Local:
    case ArgumentKind::Value:
      return nullptr;
  }
  return nullptr;
}

/// Throws if the parameter is a pointer or an image: a driver would use the value's bytes as the address of a memory
/// object, so that a wrongly declared type would end the process. If the driver has no argument information, a null
/// argument of pointer size is tried, which only pointers accept.
void confirmNoPointer(const Slot& kernel, Argument& argument, size_t i) {
  const auto object = kernel.as<cl_kernel>();
  const auto index = static_cast<cl_uint>(i);
  const Runtime& runtime = *kernel.runtime;
  cl_kernel_arg_address_qualifier space = 0;
  const bool queried =
      runtime.clGetKernelArgInfo && runtime.clGetKernelArgInfo(object, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                                                               sizeof space, &space, nullptr) == CL_SUCCESS;
  const bool known = queried && space >= CL_KERNEL_ARG_ADDRESS_GLOBAL && space <= CL_KERNEL_ARG_ADDRESS_PRIVATE;
  const bool pointer = known ? space != CL_KERNEL_ARG_ADDRESS_PRIVATE
                             : runtime.clSetKernelArg(object, index, sizeof(void*), nullptr) == CL_SUCCESS;
  if (pointer) {
    argument.set = false;
    invalid("the kernel takes memory here, not a value", static_cast<int>(i));
  }
  argument.isKnownValue = true;
}

/// Passes argument `i` to the driver: a value in the scratch block's format and the object that it refers to, if any.
void passArgument(const Slot& kernel, KernelRecord& record, size_t i, const Slot* slot, const uint8_t* value) {
  Argument& argument = record.arguments[i];
  const Runtime& runtime = *kernel.runtime;
  const auto object = kernel.as<cl_kernel>();
  const auto index = static_cast<cl_uint>(i);
  void* memory = slot == nullptr ? nullptr : slot->object;
  const bool plain = argument.kind == ArgumentKind::Value && argument.size != sizeof(void*);
  if (!argument.isKnownValue && !plain && argument.kind != ArgumentKind::Memory && argument.kind != ArgumentKind::Local)
      [[unlikely]]
    confirmNoPointer(kernel, argument, i);
  cl_int status = CL_SUCCESS;
  const char* routine = "clSetKernelArg";
  if (argument.kind == ArgumentKind::Value) {
    // PoCL 3.1 aborts for a value of no bytes.
    if (argument.size == 0) [[unlikely]]
      invalid("expected a value of at least one byte", static_cast<int>(i));
    status = runtime.clSetKernelArg(object, index, argument.size, value);
  } else if (argument.kind == ArgumentKind::Local) {
    status =
        runtime.clSetKernelArg(object, index, static_cast<size_t>(*reinterpret_cast<const double*>(value)), nullptr);
  } else if (memory != nullptr && slot->kind == Kind::Svm) {
    const double offset = reinterpret_cast<const MemoryArgument*>(value)->byteOffset;
    if (!(offset >= 0 && offset <= static_cast<double>(svmOf(*slot)->bytes)))
      invalid("expected an offset inside the allocation", static_cast<int>(i));
    routine = "clSetKernelArgSVMPointer";
    status = runtime.clSetKernelArgSVMPointer(object, index, slot->as<char*>() + static_cast<size_t>(offset));
    record.tracksUse = true;
  } else {
    status = runtime.clSetKernelArg(object, index, sizeof(void*), &memory);
  }
  if (status != CL_SUCCESS) {
    argument.set = false;
    throw Failure{"DRIVER", routine, status, {}, static_cast<int>(i)};
  }
  argument.isSvm = memory != nullptr && slot->kind == Kind::Svm;
  if (argument.kind == ArgumentKind::Local) record.fitsOn = nullptr;
  if (argument.kind == ArgumentKind::Memory) {
    argument.imageOverBuffer = slot != nullptr && slot->imageOverBuffer;
    record.hadImageOverBuffer = record.hadImageOverBuffer || argument.imageOverBuffer;
    if (record.hadImageOverBuffer) record.fitsOn = nullptr;
  }
}

/// Replaces the driver's kernel by a new one with all arguments but `i`, which is about to change from SVM to a buffer:
/// NVIDIA's driver then refuses to launch the old one.
void replaceKernel(Environment& environment, Slot& kernel, KernelRecord& record, size_t i) {
  const Runtime& runtime = *kernel.runtime;
  const auto old = kernel.as<cl_kernel>();
  cl_program program = nullptr;
  check(runtime.clGetKernelInfo(old, CL_KERNEL_PROGRAM, sizeof program, &program, nullptr), "clGetKernelInfo");
  size_t length = 0;
  check(runtime.clGetKernelInfo(old, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &length), "clGetKernelInfo");
  std::string name(length, '\0');
  check(runtime.clGetKernelInfo(old, CL_KERNEL_FUNCTION_NAME, length, name.data(), nullptr), "clGetKernelInfo");
  cl_int status = CL_SUCCESS;
  cl_kernel fresh = runtime.clCreateKernel(program, name.c_str(), &status);
  check(status, "clCreateKernel");
  kernel.object = fresh;
  runtime.clReleaseKernel.quietly(old);
  // Lists cache the driver's kernel.
  environment.handles.invalidateCaches();
  setSvmPointers(kernel, fresh, record);
  std::vector<size_t> known;
  for (size_t k = 0; k < record.arguments.size(); ++k) {
    // An argument whose object was released stays unset.
    if (k != i && record.arguments[k].set && isAlive(environment, record, k)) known.push_back(k);
    record.arguments[k].set = false;
  }
  for (const size_t k : known) {
    Argument& argument = record.arguments[k];
    const uint8_t* value = record.lastBytes() + argument.offset;
    passArgument(kernel, record, k, objectOf(environment, kernel, argument, value, k), value);
    argument.set = true;
  }
}

}  // namespace

const Slot& memoryOf(HandleTable& handles, Handle handle, int position) {
  if (const Slot* slot = handles.find(handle, Kind::Memory)) return *slot;
  if (const Slot* slot = handles.find(handle, Kind::Svm)) return *slot;
  const Slot* dead = handles.peek(handle);
  return handles.get(handle, dead != nullptr && dead->kind == Kind::Svm ? Kind::Svm : Kind::Memory, position);
}

bool isLoanCurrent(const Slot& memory, const Argument& argument) {
  return !memory.loanState || memory.loanState->loan() == argument.loan;
}

bool isAlive(Environment& environment, KernelRecord& record, size_t i) {
  const Argument& argument = record.arguments[i];
  const Handle handle = *reinterpret_cast<const Handle*>(record.lastBytes() + argument.offset);
  switch (argument.kind) {
    case ArgumentKind::Memory: {
      if (handle == 0) return true;
      const Slot* slot = environment.handles.find(handle, Kind::Memory);
      if (slot == nullptr) slot = environment.handles.find(handle, Kind::Svm);
      return slot != nullptr && isLoanCurrent(*slot, argument);
    }
    case ArgumentKind::Sampler:
      return environment.handles.find(handle, Kind::Sampler) != nullptr;
    case ArgumentKind::Queue:
      return environment.handles.find(handle, Kind::Queue) != nullptr;
    case ArgumentKind::Local:
    case ArgumentKind::Value:
      return true;
  }
  return true;
}

void setSvmPointers(const Slot& kernel, cl_kernel object, const KernelRecord& record) {
  const auto& entry = kernel.runtime->clSetKernelExecInfo;
  std::vector<void*> pointers;
  for (const auto& memory : record.reachableMemory) pointers.push_back(memory->pointer);
  if (!pointers.empty())
    check(entry(object, CL_KERNEL_EXEC_INFO_SVM_PTRS, pointers.size() * sizeof(void*), pointers.data()), entry.name);
  const cl_bool all = CL_TRUE;
  if (record.reachesAll) check(entry(object, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof all, &all), entry.name);
}

void setArgument(Environment& environment, Slot& kernel, KernelRecord& record, size_t i) {
  Argument& argument = record.arguments[i];
  const uint8_t* value = environment.scratch + argument.offset;
  // Looked up even if nothing changed: the object may have been released since.
  const Slot* slot = objectOf(environment, kernel, argument, value, i);
  void* memory = slot == nullptr ? nullptr : slot->object;
  if (slot != nullptr && slot->loanState) [[unlikely]] {
    argument.loan = slot->loanState->loan();
    record.tracksUse = true;
  }
  if (argument.set && argument.object == memory &&
      sameWords(value, record.lastBytes() + argument.offset, argument.words) && !record.shared)
    return;

  const bool becomesBuffer = argument.isSvm && slot != nullptr && slot->kind == Kind::Memory;
  if (becomesBuffer && !record.shared && !record.hasForeignInfo) [[unlikely]]
    replaceKernel(environment, kernel, record, i);
  passArgument(kernel, record, i, slot, value);
  argument.set = true;
  argument.object = memory;
  std::memcpy(record.lastBytes() + argument.offset, value, argument.words * sizeof(uint64_t));
}

void setArguments(Environment& environment, Slot& kernel, KernelRecord& record) {
  const size_t count = record.arguments.size();
  for (size_t i = 0; i < count; ++i) setArgument(environment, kernel, record, i);
  record.checkedEpoch = environment.handles.epoch();
}

void confirmArguments(Environment& environment, KernelRecord& record) {
  if (record.checkedEpoch == environment.handles.epoch()) [[likely]]
    return;
  for (size_t i = 0; i < record.arguments.size(); ++i) {
    const Argument& argument = record.arguments[i];
    const auto position = static_cast<int>(i);
    if (!argument.set) throw Failure{"ARGUMENT_NOT_SET", {}, CL_SUCCESS, {}, position};
    const Handle handle = *reinterpret_cast<const Handle*>(record.lastBytes() + argument.offset);
    if (handle == 0) continue;
    if (argument.kind == ArgumentKind::Memory) {
      const Slot& slot = memoryOf(environment.handles, handle, position);
      if (!isLoanCurrent(slot, argument)) [[unlikely]]
        throw Failure{"DISPOSED", {}, CL_SUCCESS, kindName(slot.kind), position};
    }
    if (argument.kind == ArgumentKind::Sampler) environment.handles.get(handle, Kind::Sampler, position);
    if (argument.kind == ArgumentKind::Queue) environment.handles.get(handle, Kind::Queue, position);
  }
  record.checkedEpoch = environment.handles.epoch();
}

}  // namespace cl
