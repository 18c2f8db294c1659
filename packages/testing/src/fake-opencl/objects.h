// The objects behind the OpenCL handles.
//
// Lifetime rule: an object dies when neither the caller (`refs`) nor another object (`holds`) keeps it alive. Its
// memory is never freed, so that the use of a released handle is detected and not undefined behavior.
#pragma once

#include <array>
#include <map>
#include <memory>

#include "signature.h"
#include "support.h"

namespace fake {

enum class Kind { platform, device, context, queue, mem, event, program, kernel, sampler, semaphore, command_buffer };

/** Dispatch table, the first word of every handle in the layout of installable client drivers. */
extern const void* const dispatch_table[1];

struct Object {
  explicit Object(Kind which) : kind(which) {}
  const void* dispatch = dispatch_table;
  Kind kind;
  long refs = 1;
  long holds = 0;
  bool alive() const { return refs + holds > 0; }
};

/** Zeroed host memory with the alignment of CL_DEVICE_MEM_BASE_ADDR_ALIGN. */
class Storage {
 public:
  static constexpr std::size_t alignment = 128;
  void allocate(std::size_t size);
  void clear();
  std::byte* data() const { return data_; }

 private:
  struct Free {
    void operator()(void* memory) const;
  };
  std::unique_ptr<void, Free> memory_;
  std::byte* data_ = nullptr;
};

}  // namespace fake

struct _cl_platform_id : fake::Object {
  static constexpr fake::Kind tag = fake::Kind::platform;
  _cl_platform_id() : Object(tag) {}
  int index = 0;
};

struct _cl_device_id : fake::Object {
  static constexpr fake::Kind tag = fake::Kind::device;
  _cl_device_id() : Object(tag) {}
  cl_platform_id platform = nullptr;
  int index = 0;
  cl_uint units = 8;
  cl_device_id parent = nullptr;
  std::vector<cl_device_partition_property> partition;
};

struct _cl_context : fake::Object {
  static constexpr fake::Kind tag = fake::Kind::context;
  using Notify = void(CL_CALLBACK*)(const char*, const void*, std::size_t, void*);
  _cl_context() : Object(tag) {}
  std::vector<cl_device_id> devices;
  std::vector<cl_context_properties> properties;
  Notify notify = nullptr;
  void* user_data = nullptr;
  std::string reported;
  std::vector<std::function<void()>> destructors;
};

struct _cl_command_queue : fake::Object {
  static constexpr fake::Kind tag = fake::Kind::queue;
  _cl_command_queue() : Object(tag) {}
  cl_context context = nullptr;
  cl_device_id device = nullptr;
  cl_command_queue_properties flags = 0;
  std::vector<cl_queue_properties> properties;
};

struct _cl_mem : fake::Object {
  static constexpr fake::Kind tag = fake::Kind::mem;
  _cl_mem() : Object(tag) {}
  cl_context context = nullptr;
  cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
  cl_mem_flags flags = 0;
  std::size_t size = 0;
  std::byte* data = nullptr;
  fake::Storage storage;
  void* host_ptr = nullptr;
  cl_mem parent = nullptr;
  std::size_t origin = 0;
  std::vector<void*> maps;
  std::vector<cl_mem_properties> properties;
  std::vector<std::function<void()>> destructors;
  /** Imported memory that is mapped. */
  bool external = false;
  // Pipes only.
  cl_uint packet_size = 0;
  cl_uint packets = 0;
  // Images only; `extent` is in pixels, with the layers of an array in the last dimension that the type uses.
  cl_image_format format{};
  cl_image_desc desc{};
  std::array<std::size_t, 3> extent{};
  std::size_t pixel = 0;
  std::size_t row = 0;
  std::size_t slice = 0;
};

struct _cl_sampler : fake::Object {
  static constexpr fake::Kind tag = fake::Kind::sampler;
  _cl_sampler() : Object(tag) {}
  cl_context context = nullptr;
  cl_bool normalized = CL_TRUE;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
  cl_filter_mode filter = CL_FILTER_NEAREST;
  std::vector<cl_sampler_properties> properties;
};

struct _cl_event : fake::Object {
  static constexpr fake::Kind tag = fake::Kind::event;
  struct Callback {
    cl_int type;
    void(CL_CALLBACK* notify)(cl_event, cl_int, void*);
    void* user_data;
  };
  _cl_event() : Object(tag) {}
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_command_type type = CL_COMMAND_USER;
  cl_int status = CL_QUEUED;
  std::array<cl_ulong, 5> times{};
  std::vector<Callback> callbacks;
};

struct _cl_program : fake::Object {
  static constexpr fake::Kind tag = fake::Kind::program;
  _cl_program() : Object(tag) {}
  cl_context context = nullptr;
  std::vector<cl_device_id> devices;
  std::string source;
  std::string il;
  bool from_source = false;
  cl_build_status status = CL_BUILD_NONE;
  cl_program_binary_type binary_type = CL_PROGRAM_BINARY_TYPE_NONE;
  std::string options;
  std::string log;
  std::vector<fake::Signature> kernels;
};

struct _cl_kernel : fake::Object {
  static constexpr fake::Kind tag = fake::Kind::kernel;
  struct Argument {
    bool set = false;
    cl_mem mem = nullptr;
    cl_sampler sampler = nullptr;
  };
  _cl_kernel() : Object(tag) {}
  cl_program program = nullptr;
  fake::Signature signature;
  std::vector<Argument> arguments;
};

namespace fake {

/** Registers a handle without counting it as live: platforms and root devices. */
void enroll(Object& object);

/** Registers and counts a new object. Its memory is never freed (see the lifetime rule). */
void adopt(Object& object);

template <class T>
T* make() {
  T* const object = new T;
  adopt(*object);
  return object;
}

/** Returns whether this address was ever an object of the driver of this kind. */
bool known(const void* handle, Kind kind);

/** Returns the object of a handle. Null, foreign and released handles and those of another kind are misuse. */
template <class T>
T& check(T* handle, cl_int status) {
  if (!known(handle, T::tag)) misuse(status, "a handle of an unknown object");
  if (!handle->alive()) misuse(status, "a handle used after its release");
  return *handle;
}

/** Does the same as `check`; the object must also belong to the context. */
template <class T>
T& check_in(cl_context context, T* handle, cl_int status) {
  T& object = check(handle, status);
  require(object.context == context, CL_INVALID_CONTEXT, "an object of another context");
  return object;
}

/** Adds or removes a reference from one object to another. */
void hold(Object& object);
void unhold(Object& object);

/** Implements clRetain… and clRelease… */
template <class T>
void retain(T* handle, cl_int status) {
  ++check(handle, status).refs;
}

void release(Object& object, cl_int status);

template <class T>
void release(T* handle, cl_int status) {
  if (!known(handle, T::tag)) misuse(status, "a handle of an unknown object");
  release(static_cast<Object&>(*handle), status);
}

/** Releases what an object refers to when it dies. Defined with the routines of each kind. */
void on_destroy(_cl_device_id& device);
void on_destroy(_cl_context& context);
void on_destroy(_cl_command_queue& queue);
void on_destroy(_cl_mem& mem);
void on_destroy(_cl_event& event);
void on_destroy(_cl_program& program);
void on_destroy(_cl_kernel& kernel);
void on_destroy(_cl_sampler& sampler);

/** Returns the number of live objects by kind; `map` and `svm` count outstanding mappings and SVM allocations. */
std::map<std::string, long, std::less<>> live_counts();

/** Creates a queue with a property list, for several entry points. */
cl_command_queue queue_with(cl_context context, cl_device_id device, const cl_queue_properties* properties);

/** Counters of mappings and SVM allocations, which are not objects. */
long& outstanding_maps();
long& outstanding_svm();

/** Return the platforms and root devices that FAKE_CL_PLATFORMS and FAKE_CL_DEVICES specify. */
cl_platform_id platform_at(int index);
std::vector<cl_device_id> root_devices(cl_platform_id platform);
cl_device_type device_type(const _cl_device_id& device);

}  // namespace fake
