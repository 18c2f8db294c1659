#include "objects/kernel.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "driver/driver.h"
#include "exports.h"
#include "objects/loans.h"
#include "objects/svm.h"

namespace cl {
namespace {

Napi::Value addKernel(Call& call, const Slot& parent, cl_kernel kernel, std::shared_ptr<KernelRecord> record) {
  return call.result(
      call.environment->handles.add(Kind::Kernel, kernel, *parent.runtime, parent.context, std::move(record)));
}

/// createKernel(program, name)
Napi::Value createKernel(Call& call) {
  const Slot program = call.slot(0, Kind::Program);
  const std::string name = call.string(1);
  const auto& entry = program.runtime->clCreateKernel;
  cl_int status = CL_SUCCESS;
  cl_kernel kernel = entry(program.as<cl_program>(), name.c_str(), &status);
  // PoCL prefixes kernels that are named like built-in functions (src/program/pocl-names.ts).
  if (status == CL_INVALID_KERNEL_NAME) kernel = entry(program.as<cl_program>(), ("_cl_" + name).c_str(), &status);
  check(status, "clCreateKernel");
  return addKernel(call, program, kernel, std::make_shared<KernelRecord>());
}

/// createKernels(program) -> handles of all kernels in the program
Napi::Value createKernels(Call& call) {
  const Slot program = call.slot(0, Kind::Program);
  const auto& entry = program.runtime->clCreateKernelsInProgram;
  cl_uint count = 0;
  check(entry(program.as<cl_program>(), 0, nullptr, &count), entry.name);
  std::vector<cl_kernel> kernels(count);
  if (count > 0) check(entry(program.as<cl_program>(), count, kernels.data(), nullptr), entry.name);
  std::vector<Handle> handles;
  for (const cl_kernel kernel : kernels)
    handles.push_back(call.environment->handles.add(Kind::Kernel, kernel, *program.runtime, program.context,
                                                    std::make_shared<KernelRecord>()));
  return call.result(handles);
}

/// cloneKernel(kernel, program, name): clones with clCloneKernel if that works, else creates a new kernel of the same
/// name and sets the same arguments.
Napi::Value cloneKernel(Call& call) {
  const Slot kernel = call.slot(0, Kind::Kernel);
  auto record = std::make_shared<KernelRecord>(recordOf(kernel));
  record->shared = false;
  record->statistics.reset();
  cl_int status = CL_INVALID_OPERATION;
  cl_kernel clone = nullptr;
  if (kernel.runtime->clCloneKernel) clone = kernel.runtime->clCloneKernel(kernel.as<cl_kernel>(), &status);
  if (status == CL_SUCCESS) {
    const Handle handle = call.environment->handles.add(Kind::Kernel, clone, *kernel.runtime, kernel.context, record);
    try {
      // Not every driver clones the SVM pointers.
      setSvmPointers(kernel, clone, *record);
    } catch (const Failure&) {
      call.environment->handles.recycle(handle);
      throw;
    }
    return call.result(handle);
  }
  const Slot program = call.slot(1, Kind::Program);
  clone = kernel.runtime->clCreateKernel(program.as<cl_program>(), call.string(2).c_str(), &status);
  check(status, "clCreateKernel");
  // The record stores arguments at the same offsets as the scratch block.
  std::vector<Argument> originals = record->arguments;
  for (Argument& argument : record->arguments) argument.set = false;
  const Handle handle = call.environment->handles.add(Kind::Kernel, clone, *kernel.runtime, kernel.context, record);
  try {
    setSvmPointers(kernel, clone, *record);
    for (size_t i = 0; i < originals.size(); ++i) {
      // An argument whose object was released stays unset.
      if (!originals[i].set || !isAlive(*call.environment, *record, i)) continue;
      std::memcpy(call.environment->scratch + originals[i].offset, record->lastBytes() + originals[i].offset,
                  originals[i].words * sizeof(uint64_t));
      setArgument(*call.environment, call.environment->handles.get(handle, Kind::Kernel), *record, i);
    }
  } catch (const Failure&) {
    call.environment->handles.recycle(handle);
    throw;
  }
  return call.result(handle);
}

/// describeKernel(kernel, layout: Int32Array of [kind, size, offset] for each argument). Called again when an
/// argument's size changes.
Napi::Value describeKernel(Call& call) {
  const Slot& kernel = call.slot(0, Kind::Kernel);
  const auto layout = call.integers(1);
  KernelRecord& record = recordOf(kernel);
  const std::vector<Argument>& before = record.arguments;
  std::vector<Argument> arguments;
  size_t end = 0;
  for (size_t i = 0; i + 2 < layout.size(); i += 3) {
    Argument argument;
    const bool known = layout[i] >= 0 && layout[i] <= static_cast<int32_t>(ArgumentKind::Queue);
    if (!known || layout[i + 1] < 0 || layout[i + 2] < 0 || layout[i + 2] % 8 != 0)
      invalid("expected a layout of arguments", 1);
    argument.kind = static_cast<ArgumentKind>(layout[i]);
    argument.size = static_cast<uint32_t>(layout[i + 1]);
    argument.offset = static_cast<uint32_t>(layout[i + 2]);
    const size_t compared = argument.kind == ArgumentKind::Memory  ? sizeof(MemoryArgument)
                            : argument.kind == ArgumentKind::Value ? argument.size
                                                                   : sizeof(uint64_t);
    argument.words = static_cast<uint32_t>((compared + 7) / 8);
    end = std::max(end, argument.offset + argument.words * sizeof(uint64_t));
    // Unchanged arguments keep their values.
    const size_t index = arguments.size();
    if (index < before.size()) {
      const Argument& old = before[index];
      argument.isKnownValue = old.isKnownValue;
      argument.object = old.object;
      argument.set = old.set && old.kind == argument.kind && old.size == argument.size && old.offset == argument.offset;
    }
    arguments.push_back(argument);
  }
  if (end > call.environment->scratchBytes) invalid("the arguments do not fit into the scratch block", 1);
  record.arguments = std::move(arguments);
  record.last.resize((end + 7) / 8, 0);
  record.checkedEpoch = 0;
  return {};
}

/// setKernelArgument(kernel, i): sets one argument from the scratch block
Napi::Value setKernelArgument(Call& call) {
  Slot& kernel = call.slot(0, Kind::Kernel);
  const auto i = static_cast<size_t>(call.integer(1));
  KernelRecord& record = recordOf(kernel);
  if (i >= record.arguments.size()) invalid("the kernel has no such argument", 1);
  setArgument(*call.environment, kernel, record, i);
  record.checkedEpoch = 0;
  return {};
}

/// setKernelArguments(kernel): sets all arguments from the scratch block
Napi::Value setKernelArguments(Call& call) {
  Slot& kernel = call.slot(0, Kind::Kernel);
  setArguments(*call.environment, kernel, recordOf(kernel));
  return {};
}

/// readKernelArgument(kernel, i): copies the argument's last value into the scratch block
Napi::Value readKernelArgument(Call& call) {
  KernelRecord& record = recordOf(call.slot(0, Kind::Kernel));
  const auto i = static_cast<size_t>(call.integer(1));
  if (i >= record.arguments.size() || !record.arguments[i].set)
    invalid("the kernel has no such argument, or it was never set", 1);
  const Argument& argument = record.arguments[i];
  std::memcpy(call.environment->scratch + argument.offset, record.lastBytes() + argument.offset,
              argument.words * sizeof(uint64_t));
  return {};
}

/// shareKernel(kernel): disables the comparison with last values. For kernels whose raw handle other code has, since it
/// may set arguments.
Napi::Value shareKernel(Call& call) {
  recordOf(call.slot(0, Kind::Kernel)).shared = true;
  return {};
}

/// setKernelSvm(kernel, svms: Int32Array): replaces the allocations that the kernel accesses through pointers
Napi::Value setKernelSvm(Call& call) {
  const Slot& kernel = call.slot(0, Kind::Kernel);
  KernelRecord& record = recordOf(kernel);
  KernelRecord next;
  for (const Handle handle : call.integers(1)) {
    const Slot& svm = call.environment->handles.get(handle, Kind::Svm, 1);
    if (svm.context != kernel.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "svm", 1};
    if (svm.object != nullptr) next.reachableMemory.push_back(svmOf(svm));
  }
  // Drivers do not accept an empty list, and must not keep a list of freed memory.
  if (next.reachableMemory.empty()) invalid("expected at least one allocation that is not empty", 1);
  setSvmPointers(kernel, kernel.as<cl_kernel>(), next);
  record.reachableMemory = std::move(next.reachableMemory);
  record.tracksUse = true;
  return {};
}

/// setKernelReachesAll(kernel, all): whether the kernel may access any memory of the process through pointers
Napi::Value setKernelReachesAll(Call& call) {
  const Slot& kernel = call.slot(0, Kind::Kernel);
  KernelRecord& record = recordOf(kernel);
  const cl_bool all = call.boolean(1) ? CL_TRUE : CL_FALSE;
  check(kernel.runtime->clSetKernelExecInfo(kernel.as<cl_kernel>(), CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                                            sizeof all, &all),
        "clSetKernelExecInfo");
  record.reachesAll = all != CL_FALSE;
  if (record.reachesAll) record.tracksUse = true;
  return {};
}

/// setKernelExecInfo(kernel, param, bytes: Uint8Array)
Napi::Value setKernelExecInfo(Call& call) {
  const Slot& kernel = call.slot(0, Kind::Kernel);
  const HostBytes value = call.bytes(2);
  check(kernel.runtime->clSetKernelExecInfo(kernel.as<cl_kernel>(), static_cast<cl_kernel_exec_info>(call.uint32(1)),
                                            value.bytes, value.data),
        "clSetKernelExecInfo");
  recordOf(kernel).hasForeignInfo = true;
  return {};
}

/// PoCL's alignment of each local memory argument.
constexpr cl_ulong kPoclAlignment = 128;
/// NVIDIA's driver adds some bytes of its bookkeeping to the size. An excess of up to this much is left to the driver.
constexpr cl_ulong kUncertainBytes = 256;

/// Throws NOT_SUPPORTED for a launch that would crash PoCL before 4, which dereferences a null pointer if a 1-D image
/// over a buffer is the only memory object that it migrates for a launch.
void checkSingleImage(const Runtime& runtime, cl_device_id device, const KernelRecord& record) {
  size_t memories = 0;
  bool image = false;
  for (const Argument& argument : record.arguments) {
    if (argument.kind != ArgumentKind::Memory || !argument.set || argument.object == nullptr) continue;
    ++memories;
    image = argument.imageOverBuffer;
  }
  if (memories != 1 || !image || !isPoclBefore(runtime, device, 4)) return;
  throw Failure{
      "NOT_SUPPORTED", "clEnqueueNDRangeKernel", CL_SUCCESS,
      "PoCL 4 or later to launch a kernel whose only memory argument is a 1-D image over a buffer; this version "
      "supports it if the kernel has another image or buffer argument",
      -1};
}

}  // namespace

void Sizes::read(const Environment& environment) {
  const auto* header = reinterpret_cast<const int32_t*>(environment.scratch);
  const auto* numbers = reinterpret_cast<const double*>(environment.scratch) + 1;
  dimensions = static_cast<cl_uint>(header[0]);
  hasLocal = (header[1] & 1) != 0;
  hasOffset = (header[1] & 2) != 0;
  for (cl_uint i = 0; i < dimensions && i < 3; ++i) {
    global[i] = static_cast<size_t>(numbers[i]);
    if (hasLocal) local[i] = static_cast<size_t>(numbers[3 + i]);
    if (hasOffset) offset[i] = static_cast<size_t>(numbers[6 + i]);
  }
}

void noteAllUse(Environment& environment, const Slot& queue, const KernelRecord& record) {
  for (const auto& memory : record.reachableMemory) memory->use(queue);
  if (record.reachesAll) environment.svm->useAll(queue);
  for (const Argument& argument : record.arguments) {
    if (argument.kind != ArgumentKind::Memory) continue;
    const auto handle =
        *reinterpret_cast<const Handle*>(reinterpret_cast<const uint8_t*>(record.last.data()) + argument.offset);
    if (const Slot* svm = environment.handles.find(handle, Kind::Svm)) svmOf(*svm)->use(queue);
    if (const Slot* memory = environment.handles.find(handle, Kind::Memory)) noteMemoryUse(*memory, queue);
  }
}

void checkLocalMemory(const Environment& environment, const Slot& queue, cl_kernel kernel, KernelRecord& record) {
  const Runtime& runtime = *queue.runtime;
  cl_device_id device = nullptr;
  cl_ulong available = 0;
  cl_ulong needed = 0;
  check(runtime.clGetCommandQueueInfo(queue.as<cl_command_queue>(), CL_QUEUE_DEVICE, sizeof device, &device, nullptr),
        "clGetCommandQueueInfo");
  if (record.hadImageOverBuffer) checkSingleImage(runtime, device, record);
  check(runtime.clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof available, &available, nullptr),
        "clGetDeviceInfo");
  // If the kernel is not built for the device, its launch fails with a better error.
  const bool known = runtime.clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof needed, &needed,
                                                      nullptr) == CL_SUCCESS;
  if (known && needed > 0) {
    cl_ulong padded = needed;
    cl_ulong limit = available + kUncertainBytes;
    if (isPocl(runtime, device)) {
      limit = available;
      for (const Argument& argument : record.arguments) {
        if (argument.kind != ArgumentKind::Local || !argument.set) continue;
        const auto bytes =
            static_cast<cl_ulong>(*reinterpret_cast<const double*>(record.lastBytes() + argument.offset));
        padded += (kPoclAlignment - bytes % kPoclAlignment) % kPoclAlignment;
      }
    }
    if (padded > limit) throw Failure{"DRIVER", "clEnqueueNDRangeKernel", CL_OUT_OF_RESOURCES, {}, -1};
  }
  record.fitsOn = queue.object;
  record.fitsSince = environment.handles.epoch();
  record.usesLocal = needed > 0;
}

void addKernelExports(Exports& exports) {
  exports.add({{"createKernel", function<createKernel>},
               {"createKernels", function<createKernels>},
               {"cloneKernel", function<cloneKernel>},
               {"describeKernel", function<describeKernel>},
               {"setKernelArgument", function<setKernelArgument>},
               {"setKernelArguments", function<setKernelArguments>},
               {"readKernelArgument", function<readKernelArgument>},
               {"shareKernel", function<shareKernel>},
               {"setKernelSvm", function<setKernelSvm>},
               {"setKernelReachesAll", function<setKernelReachesAll>},
               {"setKernelExecInfo", function<setKernelExecInfo>}});
}

}  // namespace cl
