// Raw pointers in and out, for interoperation with other libraries in the same process.
//
// A pointer from outside is checked as far as possible. An OpenCL object begins with a pointer to its driver's dispatch
// table, so the address must be readable and hold the same value as a known platform. It must not be registered here as
// an object of another kind or be inside memory that JavaScript writes (known_objects.h), and the driver's query must
// accept it. These checks keep a wrong number from crashing the process. They cannot detect an object of another kind
// that other code created.
//
// Without `retain`, the caller's reference becomes this addon's. That is refused if a handle of this process already
// owns a reference: the two cannot be told apart, and the same reference would be released twice.
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

/// Copies one word from an address that may be unmapped.
bool readWord(uint64_t address, uintptr_t& word) {
  if (address == 0 || address % alignof(uintptr_t) != 0) return false;
#ifdef _WIN32
  SIZE_T copied = 0;
  return ReadProcessMemory(GetCurrentProcess(), reinterpret_cast<const void*>(address), &word, sizeof word, &copied) &&
         copied == sizeof word;
#else
  // write() from an unmapped page returns EFAULT; a load would fault.
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

/// The runtime of an object from outside, and its platforms.
struct Origin {
  const Runtime* runtime = nullptr;
  std::vector<cl_platform_id> platforms;
};

/// Returns the runtime that has a platform with the same dispatch table as the object at an address; null if none has.
Origin originOf(uint64_t address) {
  uintptr_t word = 0;
  if (ScriptMemory::contains(address) || !readWord(address, word) || word == 0) return {};
  for (const Runtime* runtime : runtimes()) {
    std::vector<cl_platform_id> platforms = platformsOf(*runtime);
    for (const cl_platform_id platform : platforms) {
      uintptr_t table = 0;
      if (readWord(reinterpret_cast<uintptr_t>(platform), table) && table == word)
        return {runtime, std::move(platforms)};
    }
  }
  return {};
}

/// Returns the kind of object that this environment holds at an address, or None.
Kind kindAt(HandleTable& handles, const void* object) {
  for (const Slot& slot : handles.slots()) {
    const bool plain = slot.kind != Kind::Svm && slot.kind != Kind::List && slot.kind != Kind::Map;
    if (slot.alive && plain && slot.object == object) return slot.kind;
  }
  return Kind::None;
}

/// Registers the reference that the caller passes on (known_objects.h). Unregistered in the destructor unless kept.
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
  /// Hands the registration over to the slot.
  void keep(Slot& slot) {
    slot.exposed = true;
    object_ = nullptr;
  }

 private:
  const void* object_;
};

/// Returns whether the object is a device. A device reports a known platform; the query passes no context.
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

/// Returns the object's context. The query also rejects objects of other kinds.
template <typename Object, typename EntryPoint>
void* contextOf(const EntryPoint& entry, Object object, cl_uint param) {
  cl_context context = nullptr;
  check(entry(object, param, sizeof context, &context, nullptr), entry.name);
  return context;
}

/// adopt(kind, pointer: bigint, retain) -> handle
Napi::Value adopt(Call& call) {
  call.environment->requireInitialized();
  const uint32_t number = call.uint32(0);
  if (number >= kKindCount) invalid("there is no object kind with this number", 0);
  const auto kind = static_cast<Kind>(number);
  const uint64_t address = call.pointer(1);
  const bool retain = call.boolean(2);
  const auto [origin, platforms] = originOf(address);
  void* object = reinterpret_cast<void*>(static_cast<uintptr_t>(address));
  const auto require = [&](bool condition) {
    if (!condition) throw Failure{"NOT_AN_OBJECT", {}, CL_SUCCESS, kindName(kind), 1};
  };
  const Kind knownKind = kindAt(call.environment->handles, object);
  require(origin != nullptr);
  const Runtime& runtime = *origin;
  require(knownKind == Kind::None || knownKind == kind);
  require(kind == Kind::Platform || std::find(platforms.begin(), platforms.end(), object) == platforms.end());
  // Platforms and devices have one handle each and are not reference-counted.
  if (kind == Kind::Platform || kind == Kind::Device) {
    require(kind == Kind::Platform ? std::find(platforms.begin(), platforms.end(), object) != platforms.end()
                                   : isDevice(runtime, platforms, static_cast<cl_device_id>(object)));
    return call.result(call.environment->intern(kind, object, runtime));
  }
  Claim claim(object, retain, knownKind == kind);
  void* context = nullptr;
  std::shared_ptr<Record> record;
  const auto retainWith = [&](const auto& entry, auto typed) {
    if (!retain) return;
    check(entry(typed), entry.name);
  };
  switch (kind) {
    case Kind::Context:
      context = object;
      retainWith(runtime.clRetainContext, static_cast<cl_context>(object));
      break;
    case Kind::Queue:
      context = contextOf(runtime.clGetCommandQueueInfo, static_cast<cl_command_queue>(object), CL_QUEUE_CONTEXT);
      retainWith(runtime.clRetainCommandQueue, static_cast<cl_command_queue>(object));
      record = std::make_shared<QueueRecord>(runtime, 0, false);
      static_cast<QueueRecord&>(*record).shared = true;
      static_cast<QueueRecord&>(*record).readsHostEarly = isNvidia(runtime, static_cast<cl_command_queue>(object));
      static_cast<QueueRecord&>(*record).profiling = hasProfiling(runtime, static_cast<cl_command_queue>(object));
      break;
    case Kind::Event:
      context = contextOf(runtime.clGetEventInfo, static_cast<cl_event>(object), CL_EVENT_CONTEXT);
      noteUnknownWaits();
      retainWith(runtime.clRetainEvent, static_cast<cl_event>(object));
      break;
    case Kind::Memory:
      context = contextOf(runtime.clGetMemObjectInfo, static_cast<cl_mem>(object), CL_MEM_CONTEXT);
      retainWith(runtime.clRetainMemObject, static_cast<cl_mem>(object));
      break;
    case Kind::Sampler:
      context = contextOf(runtime.clGetSamplerInfo, static_cast<cl_sampler>(object), CL_SAMPLER_CONTEXT);
      retainWith(runtime.clRetainSampler, static_cast<cl_sampler>(object));
      break;
    case Kind::Program:
      context = contextOf(runtime.clGetProgramInfo, static_cast<cl_program>(object), CL_PROGRAM_CONTEXT);
      retainWith(runtime.clRetainProgram, static_cast<cl_program>(object));
      break;
    case Kind::Kernel:
      context = contextOf(runtime.clGetKernelInfo, static_cast<cl_kernel>(object), CL_KERNEL_CONTEXT);
      retainWith(runtime.clRetainKernel, static_cast<cl_kernel>(object));
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
  // Other code may enqueue commands that wait for unrecorded events.
  if (slot->kind == Kind::Queue) noteUnknownWaits();
  return call.resultPointer(slot->object);
}

/// retainRaw(handle): adds a reference for code outside this package.
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
