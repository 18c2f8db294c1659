// Raw pointers in and out, for work with other libraries in the same process.
//
// A pointer that comes from outside is believed only so far: an OpenCL object begins with its driver's dispatch table,
// so the address must be readable and hold the same table as a platform that we know. It must not be known here as an
// object of another kind, nor lie in memory that JavaScript writes (known_objects.h), and the driver's own query must
// accept it. That keeps a wrong number from crashing the process; the pointer of another kind of object that somebody
// else made it cannot tell.
//
// Without `retain` the caller's reference becomes ours. That is refused for an object to which a handle of this process
// owns a reference already: the caller's cannot be told from that one, which would then be released twice.
#include <algorithm>
#include <cstring>
#include <memory>

#include "driver/dependencies.h"
#include "driver/driver.h"
#include "driver/known_objects.h"
#include "exports.h"
#include "objects/info.h"
#include "objects/kernel.h"
#include "objects/queue_record.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <fcntl.h>
#include <unistd.h>
#endif

namespace cl {
namespace {

/// Copies one word from an address that may not be mapped.
bool readWord(uint64_t address, uintptr_t& word) {
  if (address == 0 || address % alignof(uintptr_t) != 0) return false;
#ifdef _WIN32
  SIZE_T got = 0;
  return ReadProcessMemory(GetCurrentProcess(), reinterpret_cast<const void*>(address), &word, sizeof word, &got) &&
         got == sizeof word;
#else
  // The kernel refuses to copy from an unmapped page with EFAULT, where a load would be a fault.
  int ends[2];
  if (pipe(ends) != 0) return false;
  const bool ok =
      write(ends[1], reinterpret_cast<const void*>(address), sizeof word) == static_cast<ssize_t>(sizeof word) &&
      read(ends[0], &word, sizeof word) == static_cast<ssize_t>(sizeof word);
  close(ends[0]);
  close(ends[1]);
  return ok;
#endif
}

std::vector<cl_platform_id> platformsOf(const Runtime& runtime) {
  cl_uint count = 0;
  if (runtime.clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0) return {};
  std::vector<cl_platform_id> platforms(count);
  if (runtime.clGetPlatformIDs(count, platforms.data(), nullptr) != CL_SUCCESS) return {};
  return platforms;
}

bool isOpenCLObject(const std::vector<cl_platform_id>& platforms, uint64_t address) {
  uintptr_t word = 0;
  if (!readWord(address, word) || word == 0) return false;
  for (const cl_platform_id platform : platforms) {
    uintptr_t table = 0;
    if (readWord(reinterpret_cast<uintptr_t>(platform), table) && table == word) return true;
  }
  return false;
}

/// The kind of object that this environment holds at an address; None if it holds none.
Kind kindAt(HandleTable& handles, const void* object) {
  for (const Slot& slot : handles.slots()) {
    const bool plain = slot.kind != Kind::Svm && slot.kind != Kind::List && slot.kind != Kind::Map;
    if (slot.alive && plain && slot.object == object) return slot.kind;
  }
  return Kind::None;
}

/// The claim of a reference that the caller hands over. It ends unless it is kept.
class Claim {
 public:
  Claim(const void* object, bool retain, bool owned) : object_(object) {
    if (retain)
      shareObject(object);
    else if (owned || !claimObject(object))
      throw Failure{"OWNED", {}, CL_SUCCESS, {}, -1};
  }
  ~Claim() {
    if (object_ != nullptr) dropObject(object_);
  }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;
  /// From now on the slot ends it.
  void keep(Slot& slot) {
    slot.exposed = true;
    object_ = nullptr;
  }

 private:
  const void* object_;
};

/// A device answers with a platform that there is; one call that takes no context along.
bool isDevice(const Runtime& runtime, const std::vector<cl_platform_id>& platforms, cl_device_id device) {
  cl_platform_id platform = nullptr;
  if (runtime.clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr) != CL_SUCCESS)
    return false;
  return std::find(platforms.begin(), platforms.end(), platform) != platforms.end();
}

bool hasProfiling(const Runtime& runtime, cl_command_queue queue) {
  cl_command_queue_properties properties = 0;
  runtime.clGetCommandQueueInfo.quietly(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr);
  return (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
}

/// The context that an object answers with; this is also what tells an object of another kind.
template <typename Object, typename EntryPoint>
void* contextOf(const EntryPoint& entry, Object object, cl_uint param) {
  cl_context context = nullptr;
  check(entry(object, param, sizeof context, &context, nullptr), entry.name);
  return context;
}

/// adopt(kind, pointer: bigint, retain) -> handle
Napi::Value adopt(Call& call) {
  call.environment->requireInitialized();
  const uint32_t number = call.word(0);
  if (number >= kKindCount) invalid("there is no such kind of object", 0);
  const auto kind = static_cast<Kind>(number);
  const uint64_t address = call.pointer(1);
  const bool retain = call.boolean(2);
  const Runtime& runtime = systemRuntime();
  const std::vector<cl_platform_id> platforms = platformsOf(runtime);
  void* object = reinterpret_cast<void*>(static_cast<uintptr_t>(address));
  const auto require = [&](bool truth) {
    if (!truth) throw Failure{"NOT_AN_OBJECT", {}, CL_SUCCESS, kindName(kind), 1};
  };
  const Kind here = kindAt(call.environment->handles, object);
  require(!ScriptMemory::contains(address) && isOpenCLObject(platforms, address));
  require(here == Kind::None || here == kind);
  require(kind == Kind::Platform || std::find(platforms.begin(), platforms.end(), object) == platforms.end());
  // Platforms and devices have one handle each and no references to hand over.
  if (kind == Kind::Platform || kind == Kind::Device) {
    require(kind == Kind::Platform ? std::find(platforms.begin(), platforms.end(), object) != platforms.end()
                                   : isDevice(runtime, platforms, static_cast<cl_device_id>(object)));
    return call.result(call.environment->intern(kind, object, runtime));
  }
  Claim claim(object, retain, here == kind);
  void* context = nullptr;
  std::shared_ptr<Record> record;
  const auto keep = [&](const auto& entry, auto typed) {
    if (!retain) return;
    check(entry(typed), entry.name);
  };
  switch (kind) {
    case Kind::Context:
      context = object;
      keep(runtime.clRetainContext, static_cast<cl_context>(object));
      break;
    case Kind::Queue:
      context = contextOf(runtime.clGetCommandQueueInfo, static_cast<cl_command_queue>(object), CL_QUEUE_CONTEXT);
      keep(runtime.clRetainCommandQueue, static_cast<cl_command_queue>(object));
      record = std::make_shared<QueueRecord>(runtime, 0, false);
      static_cast<QueueRecord&>(*record).shared = true;
      static_cast<QueueRecord&>(*record).readsHostEarly = isNvidia(runtime, static_cast<cl_command_queue>(object));
      static_cast<QueueRecord&>(*record).profiling = hasProfiling(runtime, static_cast<cl_command_queue>(object));
      break;
    case Kind::Event:
      context = contextOf(runtime.clGetEventInfo, static_cast<cl_event>(object), CL_EVENT_CONTEXT);
      noteUnknownWaits();
      keep(runtime.clRetainEvent, static_cast<cl_event>(object));
      break;
    case Kind::Memory:
      context = contextOf(runtime.clGetMemObjectInfo, static_cast<cl_mem>(object), CL_MEM_CONTEXT);
      keep(runtime.clRetainMemObject, static_cast<cl_mem>(object));
      break;
    case Kind::Sampler:
      context = contextOf(runtime.clGetSamplerInfo, static_cast<cl_sampler>(object), CL_SAMPLER_CONTEXT);
      keep(runtime.clRetainSampler, static_cast<cl_sampler>(object));
      break;
    case Kind::Program:
      context = contextOf(runtime.clGetProgramInfo, static_cast<cl_program>(object), CL_PROGRAM_CONTEXT);
      keep(runtime.clRetainProgram, static_cast<cl_program>(object));
      break;
    case Kind::Kernel:
      context = contextOf(runtime.clGetKernelInfo, static_cast<cl_kernel>(object), CL_KERNEL_CONTEXT);
      keep(runtime.clRetainKernel, static_cast<cl_kernel>(object));
      record = std::make_shared<KernelRecord>();
      break;
    default:
      invalid("objects of this kind cannot be adopted", 0);
  }
  HandleTable& handles = call.environment->handles;
  const Handle handle = handles.add(kind, object, runtime, context, std::move(record));
  claim.keep(*handles.peek(handle));
  if (kind == Kind::Memory) {
    cl_mem_object_type type = 0;
    runtime.clGetMemObjectInfo(static_cast<cl_mem>(object), CL_MEM_TYPE, sizeof type, &type, nullptr);
    handles.peek(handle)->imageOverBuffer = type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  }
  return call.result(handle);
}

/// pointerOf(handle) -> bigint
Napi::Value pointerOf(Call& call) {
  Slot* slot = call.environment->handles.peek(call.integer(0));
  if (slot == nullptr || !slot->alive) throw Failure{"DISPOSED", {}, CL_SUCCESS, "object", 0};
  if (slot->kind == Kind::Queue) queueRecord(*slot).shared = true;
  if (!slot->exposed && slot->kind != Kind::Svm) {
    shareObject(slot->object);
    slot->exposed = true;
  }
  if (slot->kind == Kind::Event) userEventShared(slot->as<cl_event>());
  // Other code may enqueue waits.
  if (slot->kind == Kind::Queue) noteUnknownWaits();
  return call.resultPointer(slot->object);
}

/// retainRaw(handle): one more reference for somebody outside.
Napi::Value retainRaw(Call& call) {
  const Slot* slot = call.environment->handles.peek(call.integer(0));
  if (slot == nullptr || !slot->alive) throw Failure{"DISPOSED", {}, CL_SUCCESS, "object", 0};
  const Runtime& runtime = *slot->runtime;
  switch (slot->kind) {
    case Kind::Context:
      check(runtime.clRetainContext(slot->as<cl_context>()), "clRetainContext");
      break;
    case Kind::Queue:
      check(runtime.clRetainCommandQueue(slot->as<cl_command_queue>()), "clRetainCommandQueue");
      break;
    case Kind::Event:
      check(runtime.clRetainEvent(slot->as<cl_event>()), "clRetainEvent");
      break;
    case Kind::Memory:
      check(runtime.clRetainMemObject(slot->as<cl_mem>()), "clRetainMemObject");
      break;
    case Kind::Sampler:
      check(runtime.clRetainSampler(slot->as<cl_sampler>()), "clRetainSampler");
      break;
    case Kind::Program:
      check(runtime.clRetainProgram(slot->as<cl_program>()), "clRetainProgram");
      break;
    case Kind::Kernel:
      check(runtime.clRetainKernel(slot->as<cl_kernel>()), "clRetainKernel");
      break;
    default:
      break;
  }
  return {};
}

}  // namespace

void addAdoptExports(Exports& exports) {
  exports.add({{"adopt", function<adopt>}, {"pointerOf", function<pointerOf>}, {"retainRaw", function<retainRaw>}});
}

}  // namespace cl
